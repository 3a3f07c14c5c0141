/** A posed model as engine meshes: buffers are filled from PosedModel, materials from the scene, both changed in place from frame to frame. */
import type { VertexBuffer } from '@babylonjs/core/Buffers/buffer'
import type { ShaderMaterial } from '@babylonjs/core/Materials/shaderMaterial'
import { Color3, Color4 } from '@babylonjs/core/Maths/math.color'
import { Matrix, Vector2, Vector4 } from '@babylonjs/core/Maths/math.vector'
import type { Geometry } from '@babylonjs/core/Meshes/geometry'
import type { Mesh as DrawnMesh } from '@babylonjs/core/Meshes/mesh'
import type { Scene as Stage } from '@babylonjs/core/scene'
import { plainMaterial } from '../../shared/scene/types.ts'
import type { Material } from '../../shared/scene/types.ts'
import { shownInLod } from './lods.ts'
import { EdgeShaders, MeshEdges } from './mesh-edges.ts'
import { drawnFrom, drawRange, meshGeometry, middle } from './mesh-geometry.ts'
import { MeshHeat } from './mesh-heat.ts'
import type { PosedModel } from './posed-model.ts'
import { sameMake } from './same-make.ts'
import { drawLevel, isEffect } from './surface.ts'
import { reverseSubtract, surfaceShader, teamMode } from './surface-shader.ts'
import { TextureSet } from './textures.ts'
import { groupKey } from './types.ts'
import type { DisplayOptions } from './types.ts'
import { parseColor } from './vec.ts'
import type { Vec3 } from './vec.ts'

/** What one draw call needs: a range of a mesh in one material. */
interface Part {
  drawn: DrawnMesh
  shader: ShaderMaterial
  material: Material
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
  edges: MeshEdges
  /** made when first shown */
  heat: MeshHeat | null
  matrix: Matrix
}

/** Yields to the window when a slice of work has taken long enough. Throws when the signal is raised. */
export interface Pace {
  (): Promise<void>
}

export class ModelView {
  private posedModel: PosedModel
  private readonly stage: Stage
  private readonly bodies: Body[] = []
  private readonly textures: TextureSet
  private readonly edgeShaders: EdgeShaders
  private shown = true
  /** weights that are being painted: in place of the scene's */
  private preview: { mesh: number; values: Float32Array } | null = null
  /** by mesh, 0 to 1 of each vertex: how far it is from where another model has it; shown in colours, where no weights are */
  distances: readonly (Float32Array | null)[] | null = null
  triangles = 0
  vertices = 0

  private constructor(stage: Stage, model: PosedModel) {
    this.stage = stage
    this.posedModel = model
    this.textures = new TextureSet(stage, model.scene)
    this.edgeShaders = new EdgeShaders(stage)
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
      body.heat?.forget()
      const { indices } = model.meshes[body.index].mesh
      for (const part of body.parts) part.center = middle(model.meshes[body.index].positions, indices, part.start, part.count)
    }
    return true
  }

  show(): void {
    this.shown = true
  }

  /** Nothing of it is drawn until it is shown again. */
  hide(): void {
    this.shown = false
    this.distances = null
    for (const body of this.bodies) {
      for (const part of body.parts) part.drawn.setEnabled(false)
      body.edges.hide()
    }
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
    const { geometry, positions, normals } = meshGeometry(this.stage, `mesh ${index}`, posed)
    const matrix = Matrix.FromArray(posed.world)
    const edges = new MeshEdges(this.stage, `edges ${index}`, geometry, matrix, this.edgeShaders)
    const body: Body = { index, geometry, positions, normals, parts: [], edges, heat: null, matrix }
    this.bodies.push(body)
    const groups = mesh.groups.length ? mesh.groups : [{ start: 0, count: mesh.indices.length, material: -1 }]
    for (const [number, group] of groups.entries()) {
      const start = Math.max(0, Math.min(group.start, mesh.indices.length))
      const length = Math.max(0, Math.min(group.count, mesh.indices.length - start))
      if (length < 3) continue
      await pace()
      const material = scene.materials[group.material] ?? plainMaterial('', mesh.source)
      const shader = surfaceShader(this.stage, this.textures, material, mesh)
      const drawn = drawnFrom(geometry, `${mesh.name} ${group.material}`, this.stage, matrix)
      drawRange(drawn, count, start, length)
      drawn.material = shader
      if (material.blend === 'subtractive') reverseSubtract(drawn, shader)
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
      body.edges.move()
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

  /** The surface has its picture: effects are nothing without theirs, and a missing one is clay unless the checker is wanted. */
  private pictured(material: Material, display: DisplayOptions): boolean {
    if (this.model.scene.textures[material.texture]?.missing && !display.checker) return false
    return display.textures || isEffect(material)
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
      if (on) this.vertices += posed.positions.length / 3
      const weighed = display.heatJoint >= 0 && (display.heatMesh < 0 || display.heatMesh === body.index)
      const far = (display.heatJoint < 0 && this.distances?.[body.index]) || null
      const heat = on && (weighed || far !== null)
      if (heat) this.fillHeat(body, display.heatJoint, far)
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
        const wanted = heated ? (part.heat ??= surfaceShader(this.stage, this.textures, material, posed.mesh, true)) : shader
        if (part.drawn.material !== wanted) part.drawn.material = wanted
        shader.setColor4(
          'uDiffuse',
          colored
            ? new Color4(pose.materialColor[3 * m], pose.materialColor[3 * m + 1], pose.materialColor[3 * m + 2], d[3])
            : new Color4(...d),
        )
        shader.setVector4(
          'uFlags',
          new Vector4(opacity, material.alphaTest, material.lit && display.lit ? 1 : 0, this.pictured(material, display) ? 1 : 0),
        )
        shader.setColor3('uTeam', team)
        shader.setFloat('uTeamOn', teamMode(material, this.model.scene))
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
      this.showEdges(body, on, display, body.index === selected.mesh ? (selected.group ?? -1) : null)
    }
    sorted.sort((a, b) => a.level - b.level || b.away - a.away)
    sorted.forEach((entry, i) => (entry.part.drawn.alphaIndex = i))
  }

  /** @param selected group whose edges are marked, -1 for all of the mesh, null for none */
  private showEdges(body: Body, on: boolean, display: DisplayOptions, selected: number | null): void {
    const { indices, positions } = this.model.meshes[body.index].mesh
    const whole = selected !== null && selected < 0
    const chosen = whole ? { start: 0, count: indices.length } : body.parts.find((p) => p.group === selected)
    body.edges.show(on && display.wireframe && !whole, (on && chosen) || null, positions.length / 3, display)
  }

  /** @param far in place of weights */
  private fillHeat(body: Body, joint: number, far: Float32Array | null): void {
    const posed = this.model.meshes[body.index]
    body.heat ??= new MeshHeat(this.stage, body.geometry, posed.positions.length / 3)
    body.heat.show(posed, joint, far ?? (this.preview?.mesh === body.index ? this.preview.values : null))
  }

  previewHeat(mesh: number, values: Float32Array | null): void {
    this.preview = values && { mesh, values }
  }

  dispose(): void {
    for (const body of this.bodies) {
      for (const part of body.parts) {
        part.drawn.dispose(true, false)
        part.shader.dispose(false, false)
        part.heat?.dispose(false, false)
      }
      body.edges.dispose()
      body.geometry.dispose()
    }
    this.bodies.length = 0
    this.edgeShaders.dispose()
    this.textures.dispose()
  }
}

function fraction(x: number): number {
  return Number.isFinite(x) ? x - Math.floor(x) : 0
}
