/** A posed model as engine meshes: buffers are filled from PosedModel, materials from the scene, both changed in place from frame to frame. */
import { VertexBuffer } from '@babylonjs/core/Buffers/buffer'
import { Constants } from '@babylonjs/core/Engines/constants'
import { Material } from '@babylonjs/core/Materials/material'
import { ShaderMaterial } from '@babylonjs/core/Materials/shaderMaterial'
import { Color3, Color4 } from '@babylonjs/core/Maths/math.color'
import { Matrix, Vector2, Vector4 } from '@babylonjs/core/Maths/math.vector'
import { Geometry } from '@babylonjs/core/Meshes/geometry'
import { Mesh as DrawnMesh } from '@babylonjs/core/Meshes/mesh'
import { SubMesh } from '@babylonjs/core/Meshes/subMesh'
import type { Scene as Stage } from '@babylonjs/core/scene'
import { plainMaterial } from '../../shared/scene/types.ts'
import type { Material as SceneMaterial } from '../../shared/scene/types.ts'
import { NO_WEIGHT, rampNumbers, weightsOf } from './heat.ts'
import { shownInLod } from './lods.ts'
import type { PosedModel } from './posed-model.ts'
import { sameMake } from './same-make.ts'
import { surfaceFragment, surfaceVertex, wireFragment, wireVertex } from './shaders.ts'
import { MAX_LAYERS, surfaceOf, UV_KINDS } from './surface.ts'
import { TextureSet } from './textures.ts'
import { groupKey } from './types.ts'
import type { DisplayOptions } from './types.ts'
import { parseColor } from './vec.ts'
import type { Vec3 } from './vec.ts'

/** What one draw call needs: a range of a mesh in one material. */
interface Part {
  drawn: DrawnMesh
  shader: ShaderMaterial
  material: SceneMaterial
  /** index into Scene.materials, -1 for none */
  materialIndex: number
  /** index into Mesh.groups */
  group: number
  /** range of the mesh's indices */
  start: number
  count: number
  center: Vec3
  /** the same surface in the colours of weights, made when first shown */
  heat: ShaderMaterial | null
}

interface Body {
  index: number
  geometry: Geometry
  positions: VertexBuffer
  normals: VertexBuffer | null
  parts: Part[]
  /** whole mesh as edges, made when first shown */
  wire: DrawnMesh | null
  /** the range of it that is chosen */
  mark: { drawn: DrawnMesh; start: number; count: number } | null
  heat: { buffer: VertexBuffer; values: Float32Array; joint: number } | null
  matrix: Matrix
}

const UNIFORMS = [
  'world',
  'view',
  'viewProjection',
  'uScroll',
  'uDiffuse',
  'uEmissive',
  'uSpecular',
  'uTeam',
  'uClay',
  'uFlags',
  'uTeamOn',
  'uRamp',
  'uNoWeight',
]
const SAMPLERS = ['sBase', ...Array.from({ length: MAX_LAYERS }, (_, i) => `sLayer${i}`)]
const UV_BUFFERS = [VertexBuffer.UVKind, VertexBuffer.UV2Kind, VertexBuffer.UV3Kind, VertexBuffer.UV4Kind]

/** Yields to the window when a slice of work has taken long enough. Throws when the signal is raised. */
export interface Pace {
  (): Promise<void>
}

export class ModelView {
  private posedModel: PosedModel
  private readonly stage: Stage
  private readonly bodies: Body[] = []
  private readonly textures: TextureSet
  private wireShader: ShaderMaterial | null = null
  private markShader: ShaderMaterial | null = null
  private shown = true
  /** weights that are being painted: in place of the scene's */
  private preview: { mesh: number; values: Float32Array } | null = null
  triangles = 0
  vertices = 0

  private constructor(stage: Stage, model: PosedModel) {
    this.stage = stage
    this.posedModel = model
    this.textures = new TextureSet(stage, model.scene)
  }

  /** Builds in slices, so that a large model does not freeze the window. Hidden until `show`. */
  static async build(stage: Stage, model: PosedModel, pace: Pace): Promise<ModelView> {
    const view = new ModelView(stage, model)
    view.shown = false
    try {
      for (let i = 0; i < model.meshes.length; i++) {
        await pace()
        await view.addBody(i, pace)
      }
    } catch (error) {
      view.dispose()
      throw error
    }
    return view
  }

  get model(): PosedModel {
    return this.posedModel
  }

  /** Goes over to another scene of the same model without building anything. False where more than poses, vertices and weights differ. */
  adopt(model: PosedModel): boolean {
    if (!sameMake(this.posedModel.scene, model.scene)) return false
    this.posedModel = model
    this.preview = null
    for (const body of this.bodies) {
      if (body.heat) body.heat.joint = -1
      const { indices } = model.meshes[body.index].mesh
      for (const part of body.parts) part.center = middle(model.meshes[body.index].positions, indices, part.start, part.count)
    }
    return true
  }

  show(): void {
    this.shown = true
  }

  /** Every shader has been compiled. */
  isReady(): boolean {
    for (const body of this.bodies) for (const part of body.parts) if (part.drawn.isEnabled() && !part.drawn.isReady(true)) return false
    return true
  }

  private async addBody(index: number, pace: Pace): Promise<void> {
    const { scene } = this.model
    const posed = this.model.meshes[index]
    const mesh = posed.mesh
    const count = mesh.positions.length / 3
    if (!count || mesh.indices.length < 3) return
    const engine = this.stage.getEngine()
    const geometry = new Geometry(`mesh ${index}`, this.stage)
    const updatable = (data: Float32Array, kind: string, size: number): VertexBuffer => {
      const buffer = new VertexBuffer(engine, data, kind, true, false, size)
      geometry.setVerticesBuffer(buffer, null, true)
      return buffer
    }
    const positions = updatable(posed.positions, VertexBuffer.PositionKind, 3)
    const normals = posed.normals.length === posed.positions.length ? updatable(posed.normals, VertexBuffer.NormalKind, 3) : null
    mesh.uvs.slice(0, UV_KINDS.length).forEach((uv, set) => {
      if (uv.length === 2 * count) geometry.setVerticesBuffer(new VertexBuffer(engine, uv, UV_BUFFERS[set], false, false, 2), null, true)
    })
    if (mesh.colors.length === 4 * count)
      geometry.setVerticesBuffer(new VertexBuffer(engine, mesh.colors, VertexBuffer.ColorKind, false, false, 4), null, true)
    geometry.setIndices(usableIndices(mesh.indices, count), count)

    const body: Body = {
      index,
      geometry,
      positions,
      normals,
      parts: [],
      wire: null,
      mark: null,
      heat: null,
      matrix: Matrix.FromArray(posed.world),
    }
    this.bodies.push(body)
    const groups = mesh.groups.length ? mesh.groups : [{ start: 0, count: mesh.indices.length, material: -1 }]
    for (const [number, group] of groups.entries()) {
      const start = Math.max(0, Math.min(group.start, mesh.indices.length))
      const length = Math.max(0, Math.min(group.count, mesh.indices.length - start))
      if (length < 3) continue
      await pace()
      const material = scene.materials[group.material] ?? plainMaterial('', mesh.source)
      const shader = this.surfaceShader(material, index)
      const drawn = new DrawnMesh(`${mesh.name} ${group.material}`, this.stage)
      geometry.applyToMesh(drawn)
      drawn.releaseSubMeshes()
      new SubMesh(0, 0, count, start, length, drawn, undefined, false)
      drawn.subMeshes[0].setBoundingInfo(drawn.getBoundingInfo())
      drawn.material = shader
      this.prepare(drawn, body)
      if (material.blend === 'subtractive') this.reverseSubtract(drawn, shader)
      body.parts.push({
        drawn,
        shader,
        material,
        materialIndex: group.material,
        group: number,
        start,
        count: length,
        heat: null,
        center: middle(posed.positions, mesh.indices, start, length),
      })
    }
  }

  private prepare(drawn: DrawnMesh, body: Body): void {
    drawn.alwaysSelectAsActiveMesh = true
    drawn.doNotSyncBoundingInfo = true
    drawn.isPickable = false
    drawn.freezeWorldMatrix(body.matrix)
    drawn.setEnabled(false)
  }

  /** The engine has no blend mode for destination minus source: the equation is set for this draw call alone. */
  private reverseSubtract(drawn: DrawnMesh, shader: ShaderMaterial): void {
    const state = this.stage.getEngine().alphaState
    shader.onBindObservable.add(() => {
      const equation = Constants.GL_ALPHA_EQUATION_REVERSE_SUBTRACT
      state.setAlphaEquationParameters(equation, Constants.GL_ALPHA_EQUATION_ADD, 0)
    })
    drawn.onAfterRenderObservable.add(() =>
      state.setAlphaEquationParameters(Constants.GL_ALPHA_EQUATION_ADD, Constants.GL_ALPHA_EQUATION_ADD, 0),
    )
  }

  /** @param heat in the colours of weights: opaque, holes of the picture kept */
  private surfaceShader(material: SceneMaterial, meshIndex: number, heat = false): ShaderMaterial {
    const surface = surfaceOf(material, this.model.meshes[meshIndex].mesh, this.textures.has)
    const shader = new ShaderMaterial(
      `material ${material.name}`,
      this.stage,
      { vertexSource: surfaceVertex, fragmentSource: surfaceFragment },
      {
        attributes: heat ? [...surface.attributes, 'heat'] : surface.attributes,
        uniforms: UNIFORMS,
        samplers: SAMPLERS,
        defines: heat ? ['BLEND 0', 'HEAT', ...surface.defines.slice(1)] : surface.defines,
        needAlphaBlending: surface.transparent && !heat,
      },
    )
    if (heat) {
      shader.setArray3('uRamp', rampNumbers())
      shader.setColor3('uNoWeight', Color3.FromArray(parseColor(NO_WEIGHT)))
      shader.setColor4('uDiffuse', new Color4(...material.diffuse))
      shader.setVector4('uFlags', new Vector4(1, material.blend === 'alpha' ? Math.max(0.3, material.alphaTest) : material.alphaTest, 1, 1))
    }
    shader.alphaMode = surface.alphaMode
    shader.backFaceCulling = surface.cull
    // the scene's fronts run counter-clockwise; the engine's own shapes do not
    shader.sideOrientation = Material.CounterClockWiseSideOrientation
    shader.depthFunction = surface.depthFunction
    shader.disableDepthWrite = !surface.depthWrite && !heat
    shader.forceDepthWrite = surface.depthWrite && surface.transparent && !heat
    shader.setVector2('uScroll', new Vector2(0, 0))
    shader.setColor3('uEmissive', Color3.FromArray(material.emissive))
    shader.setVector4(
      'uSpecular',
      new Vector4(...material.specular, Math.max(...material.specular) > 0 ? Math.max(1, material.shininess) : 0),
    )
    if (this.textures.has(material.texture)) shader.setTexture('sBase', this.textures.get(material.texture, material))
    let n = 0
    for (const layer of material.layers)
      if (n < MAX_LAYERS && this.textures.has(layer.texture)) shader.setTexture(`sLayer${n++}`, this.textures.get(layer.texture, material))
    return shader
  }

  /** Uploads what moved. Call after PosedModel.update and before `style`. */
  upload(): void {
    for (const body of this.bodies) {
      const posed = this.model.meshes[body.index]
      if (posed.moved) {
        body.positions.updateDirectly(posed.positions, 0)
        body.normals?.updateDirectly(posed.normals, 0)
        ;(posed as { moved: boolean }).moved = false
      }
      Matrix.FromArrayToRef(posed.world, 0, body.matrix)
      for (const part of body.parts) part.drawn.freezeWorldMatrix(body.matrix)
      body.wire?.freezeWorldMatrix(body.matrix)
      body.mark?.drawn.freezeWorldMatrix(body.matrix)
    }
  }

  /** A mesh (or a group of it) is on screen: by file, clip, level of detail and the user's choice. */
  isShown(index: number, display: DisplayOptions, group?: number): boolean {
    const { meshes, scene } = this.model
    const m = meshes[index]
    if (!m.visible || display.hiddenMeshes?.includes(index)) return false
    if (group !== undefined && display.hiddenGroups?.includes(groupKey(index, group))) return false
    return shownInLod(scene, m.mesh.lod, display.lod)
  }

  /**
   * Sets everything that is not geometry: visibility, colours, opacity, order of transparent parts, overlays.
   * @param seconds for scrolling textures
   * @param eye the viewer's place, for sorting
   */
  style(display: DisplayOptions, selected: { mesh: number; group?: number }, seconds: number, eye: Vec3): void {
    const { pose } = this.model
    const team = Color3.FromArray(parseColor(display.teamColor))
    const dark = display.background === 'dark'
    const clay = dark ? new Color3(0.74, 0.75, 0.77) : new Color3(0.7, 0.71, 0.74)
    this.triangles = 0
    this.vertices = 0
    const sorted: { part: Part; level: number; away: number }[] = []
    for (const body of this.bodies) {
      const posed = this.model.meshes[body.index]
      const on = this.shown && this.isShown(body.index, display)
      if (on) {
        this.vertices += posed.positions.length / 3
      }
      const heat = on && display.heatJoint >= 0 && (display.heatMesh < 0 || display.heatMesh === body.index)
      if (heat) this.fillHeat(body, display.heatJoint)
      for (const part of body.parts) {
        const shown = on && this.isShown(body.index, display, part.group)
        part.drawn.setEnabled(shown)
        if (!shown) continue
        this.triangles += Math.floor(part.count / 3)
        const { material, shader, materialIndex: m } = part
        const opacity = m >= 0 && m < pose.materialOpacity.length ? pose.materialOpacity[m] : 1
        const colored = m >= 0 && pose.materialColored[m] === 1
        const d = material.diffuse
        const heated = heat && !isEffect(material)
        const wanted = heated ? (part.heat ??= this.surfaceShader(material, body.index, true)) : shader
        if (part.drawn.material !== wanted) part.drawn.material = wanted
        shader.setColor4(
          'uDiffuse',
          colored
            ? new Color4(pose.materialColor[3 * m], pose.materialColor[3 * m + 1], pose.materialColor[3 * m + 2], d[3])
            : new Color4(...d),
        )
        shader.setVector4(
          'uFlags',
          new Vector4(opacity, material.alphaTest, material.lit && display.lit ? 1 : 0, display.textures || isEffect(material) ? 1 : 0),
        )
        shader.setColor3('uTeam', team)
        shader.setFloat('uTeamOn', this.teamMode(material))
        shader.setColor3('uClay', clay)
        if (material.uvScroll)
          shader.setVector2('uScroll', new Vector2(fraction(material.uvScroll[0] * seconds), fraction(material.uvScroll[1] * seconds)))
        // an opaque part that a clip fades is drawn with the transparent ones
        shader.alpha = material.blend === 'opaque' && opacity < 1 ? Math.min(opacity, 0.999) : 1
        if (material.blend !== 'opaque' || opacity < 1) {
          const w = posed.world
          const [x, y, z] = part.center
          const away = Math.hypot(
            w[0] * x + w[4] * y + w[8] * z + w[12] - eye[0],
            w[1] * x + w[5] * y + w[9] * z + w[13] - eye[1],
            w[2] * x + w[6] * y + w[10] * z + w[14] - eye[2],
          )
          sorted.push({ part, level: drawLevel(posed.mesh.sortLevel, material), away })
        }
      }
      this.styleEdges(body, on, display, body.index === selected.mesh ? (selected.group ?? -1) : null)
    }
    sorted.sort((a, b) => a.level - b.level || b.away - a.away)
    sorted.forEach((entry, i) => (entry.part.drawn.alphaIndex = i))
  }

  /**
   * Zero Hour's pictures for the player's colour say by their alpha where it goes (out = colour), where they have one; the material
   * itself is opaque. Others take it whole. A checker stays a checker.
   */
  private teamMode(material: SceneMaterial): number {
    if (!material.teamColor) return 0
    const texture = this.model.scene.textures[material.texture]
    if (!texture) return 1
    if (texture.missing) return 0
    return texture.hasAlpha && material.blend === 'opaque' && material.alphaTest < 0 ? 2 : 1
  }

  /** @param selected group whose edges are marked, -1 for all of the mesh, null for none */
  private styleEdges(body: Body, on: boolean, display: DisplayOptions, selected: number | null): void {
    const dark = display.background === 'dark'
    const plain = on && display.wireframe && selected !== -1
    if (plain) {
      body.wire ??= this.edges(body, 0)
      this.wireShader ??= this.edgeShader()
      this.wireShader.setColor4('uTint', dark ? new Color4(0.02, 0.03, 0.05, 0.6) : new Color4(0.05, 0.07, 0.12, 0.5))
      body.wire.material = this.wireShader
    }
    body.wire?.setEnabled(plain)
    const part = selected === null || selected < 0 ? undefined : body.parts.find((p) => p.group === selected)
    const marked = on && selected !== null && (selected < 0 || part !== undefined)
    if (marked) {
      body.mark ??= { drawn: this.edges(body, 1), start: -1, count: -1 }
      const { indices, positions } = this.model.meshes[body.index].mesh
      const { start, count } = part ?? { start: 0, count: indices.length }
      if (body.mark.start !== start || body.mark.count !== count) {
        body.mark.drawn.releaseSubMeshes()
        new SubMesh(0, 0, positions.length / 3, start, count, body.mark.drawn, undefined, false)
        body.mark.drawn.subMeshes[0].setBoundingInfo(body.mark.drawn.getBoundingInfo())
        Object.assign(body.mark, { start, count })
      }
      this.markShader ??= this.edgeShader()
      this.markShader.setColor4(
        'uTint',
        dark ? new Color4(1, 0.72, 0.3, display.wireframe ? 0.9 : 0.32) : new Color4(0.85, 0.42, 0, display.wireframe ? 0.9 : 0.38),
      )
      body.mark.drawn.material = this.markShader
    }
    body.mark?.drawn.setEnabled(marked)
  }

  private edges(body: Body, above: number): DrawnMesh {
    const drawn = new DrawnMesh(`edges ${body.index}`, this.stage)
    body.geometry.applyToMesh(drawn)
    this.prepare(drawn, body)
    drawn.alphaIndex = 1_000_000 + above
    return drawn
  }

  private edgeShader(): ShaderMaterial {
    const shader = new ShaderMaterial(
      'edges',
      this.stage,
      { vertexSource: wireVertex, fragmentSource: wireFragment },
      { attributes: ['position'], uniforms: ['world', 'viewProjection', 'uTint'], needAlphaBlending: true },
    )
    shader.alphaMode = Constants.ALPHA_PREMULTIPLIED_PORTERDUFF
    shader.wireframe = true
    shader.backFaceCulling = false
    shader.disableDepthWrite = true
    return shader
  }

  previewHeat(mesh: number, values: Float32Array | null): void {
    this.preview = values && { mesh, values }
  }

  private fillHeat(body: Body, joint: number): void {
    const posed = this.model.meshes[body.index]
    if (!body.heat) {
      const values = new Float32Array(posed.positions.length / 3)
      const buffer = new VertexBuffer(this.stage.getEngine(), values, 'heat', true, false, 1)
      body.geometry.setVerticesBuffer(buffer, null, true)
      body.heat = { buffer, values, joint: -1 }
    }
    const heat = body.heat
    if (this.preview?.mesh === body.index && this.preview.values.length === heat.values.length) {
      // read anew from the scene when it is over
      heat.joint = -1
      heat.buffer.updateDirectly(this.preview.values, 0)
      return
    }
    if (heat.joint === joint) return
    heat.joint = joint
    weightsOf(posed.mesh, posed.skin, joint, heat.values)
    heat.buffer.updateDirectly(heat.values, 0)
  }

  dispose(): void {
    for (const body of this.bodies) {
      for (const part of body.parts) {
        part.drawn.dispose(true, false)
        part.shader.dispose(false, false)
        part.heat?.dispose(false, false)
      }
      body.wire?.dispose(true, false)
      body.mark?.drawn.dispose(true, false)
      body.geometry.dispose()
    }
    this.bodies.length = 0
    this.wireShader?.dispose(false, false)
    this.markShader?.dispose(false, false)
    this.textures.dispose()
  }
}

/** Transparent parts go back to front within a level: plain alpha first, then what only adds light. Static sort levels come first, the highest number before all. */
export function drawLevel(sortLevel: number | undefined, material: Pick<SceneMaterial, 'blend' | 'depthTest'>): number {
  const light = material.blend === 'additive' || material.blend === 'screen' || material.blend === 'subtractive' ? 1 : 0
  return -(sortLevel ?? 0) * 4 + light + (material.depthTest ? 0 : 2)
}

/** Light or shade upon the picture: without its texture it would be a bare card. */
function isEffect(material: Pick<SceneMaterial, 'blend'>): boolean {
  return material.blend !== 'opaque' && material.blend !== 'alpha'
}

function fraction(x: number): number {
  return Number.isFinite(x) ? x - Math.floor(x) : 0
}

/** The file's own list, or a copy without what points past the vertices. */
function usableIndices(indices: Uint32Array, count: number): Uint32Array {
  for (const i of indices) if (i >= count) return indices.map((x) => (x < count ? x : 0))
  return indices
}

/** Middle of a range of triangles, from a few of them. */
function middle(positions: Float32Array, indices: Uint32Array, start: number, count: number): Vec3 {
  const step = Math.max(1, Math.floor(count / 300))
  const sum: Vec3 = [0, 0, 0]
  let n = 0
  for (let i = start; i < start + count; i += step) {
    const p = 3 * indices[i]
    if (!Number.isFinite(positions[p] + positions[p + 1] + positions[p + 2])) continue
    for (let c = 0; c < 3; c++) sum[c] += positions[p + c]
    n++
  }
  return n ? [sum[0] / n, sum[1] / n, sum[2] / n] : sum
}
