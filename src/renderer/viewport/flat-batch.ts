/** Lines or triangles with a colour per vertex, refilled at will: grid, bones, axes, helpers. */
import { VertexBuffer } from '@babylonjs/core/Buffers/buffer'
import { Constants } from '@babylonjs/core/Engines/constants'
import { ShaderMaterial } from '@babylonjs/core/Materials/shaderMaterial'
import { Color4 } from '@babylonjs/core/Maths/math.color'
import { Vector3 } from '@babylonjs/core/Maths/math.vector'
import { Geometry } from '@babylonjs/core/Meshes/geometry'
import { Mesh } from '@babylonjs/core/Meshes/mesh'
import type { Scene as Stage } from '@babylonjs/core/scene'
import type { Fit } from './apart.ts'
import { flatFragment, flatVertex } from './shaders.ts'
import { add, cross, normalize, scale, sub } from './vec.ts'
import type { Vec3 } from './vec.ts'

export type Tint = readonly [number, number, number, number]

/** Collects vertices; grows as needed, keeps its memory from frame to frame. */
export class FlatData {
  positions = new Float32Array(3 * 256)
  tints = new Float32Array(4 * 256)
  indices = new Uint32Array(512)
  vertexCount = 0
  indexCount = 0

  clear(): void {
    this.vertexCount = 0
    this.indexCount = 0
  }

  vertex(x: number, y: number, z: number, tint: Tint): number {
    if (this.vertexCount * 3 === this.positions.length) {
      const positions = new Float32Array(this.positions.length * 2)
      const tints = new Float32Array(this.tints.length * 2)
      positions.set(this.positions)
      tints.set(this.tints)
      this.positions = positions
      this.tints = tints
    }
    const v = this.vertexCount++
    this.positions[3 * v] = x
    this.positions[3 * v + 1] = y
    this.positions[3 * v + 2] = z
    this.tints.set(tint, 4 * v)
    return v
  }

  /** A strip from a to b that faces along `back`, twice `half` wide. */
  ribbon(a: Vec3, b: Vec3, back: Vec3, half: number, tint: Tint): void {
    const side = scale(normalize(cross(sub(b, a), back)), half)
    const i = this.vertex(...add(a, side), tint)
    this.vertex(...sub(a, side), tint)
    this.vertex(...add(b, side), tint)
    this.vertex(...sub(b, side), tint)
    this.index(i, i + 1, i + 2, i + 1, i + 3, i + 2)
  }

  index(...list: number[]): void {
    if (this.indexCount + list.length > this.indices.length) {
      const indices = new Uint32Array(this.indices.length * 2)
      indices.set(this.indices)
      this.indices = indices
    }
    for (const i of list) this.indices[this.indexCount++] = i
  }

  line(a: Vec3, b: Vec3, tint: Tint, end: Tint = tint): void {
    this.index(this.vertex(a[0], a[1], a[2], tint), this.vertex(b[0], b[1], b[2], end))
  }
}

export interface BatchOptions {
  lines: boolean
  /** drawn over everything of its group, or hidden behind surfaces, or only where it is hidden */
  depth: 'over' | 'behind-hidden' | 'behind-only'
  /** drawing order among transparent things */
  order: number
  /** factor on colour and alpha */
  tint?: Tint
}

export class FlatBatch {
  readonly data: FlatData
  private readonly stage: Stage
  private readonly drawn: Mesh
  private readonly shader: ShaderMaterial
  private geometry: Geometry | null = null
  private positions: VertexBuffer | null = null
  private tints: VertexBuffer | null = null
  private capacity = 0
  private indexCapacity = 0
  private wanted = true

  /** @param data shared between batches that draw the same thing in two ways */
  constructor(name: string, stage: Stage, options: BatchOptions, data = new FlatData()) {
    this.stage = stage
    this.data = data
    this.shader = new ShaderMaterial(
      name,
      stage,
      { vertexSource: flatVertex, fragmentSource: flatFragment },
      {
        attributes: ['position', 'tint'],
        uniforms: ['world', 'view', 'viewProjection', 'uTint', 'uFade'],
        needAlphaBlending: true,
      },
    )
    this.shader.alphaMode = Constants.ALPHA_PREMULTIPLIED_PORTERDUFF
    this.shader.backFaceCulling = false
    this.shader.disableDepthWrite = true
    this.shader.depthFunction =
      options.depth === 'over' ? Constants.ALWAYS : options.depth === 'behind-only' ? Constants.GREATER : Constants.LEQUAL
    if (options.lines) this.shader.fillMode = Constants.MATERIAL_LineListDrawMode
    this.shader.setColor4('uTint', new Color4(...(options.tint ?? [1, 1, 1, 1])))
    this.shader.setVector3('uFade', new Vector3(0, 0, 0))
    this.drawn = new Mesh(name, stage)
    this.drawn.material = this.shader
    this.drawn.alwaysSelectAsActiveMesh = true
    this.drawn.doNotSyncBoundingInfo = true
    this.drawn.isPickable = false
    this.drawn.alphaIndex = options.order
    this.drawn.setEnabled(false)
  }

  fade(x: number, z: number, radius: number): void {
    this.shader.setVector3('uFade', new Vector3(x, z, radius))
  }

  /** Where what it was given is drawn. */
  set fit({ scale, lift }: Fit) {
    this.drawn.scaling.setAll(scale)
    this.drawn.position.y = lift
  }

  set visible(on: boolean) {
    this.wanted = on
    this.drawn.setEnabled(on && this.data.indexCount > 0)
  }

  isReady(): boolean {
    return !this.drawn.isEnabled() || this.drawn.isReady(true)
  }

  /** Hands the collected vertices to the engine. */
  upload(): void {
    const { data } = this
    if (data.indexCount) {
      if (!this.geometry || data.positions.length > this.capacity || data.indices.length > this.indexCapacity) this.allocate()
      this.positions!.updateDirectly(data.positions, 0)
      this.tints!.updateDirectly(data.tints, 0)
      this.stage.getEngine().updateDynamicIndexBuffer(this.geometry!.getIndexBuffer()!, data.indices)
      const part = this.drawn.subMeshes[0]
      part.verticesCount = data.vertexCount
      part.indexCount = data.indexCount
    }
    this.visible = this.wanted
  }

  private allocate(): void {
    const engine = this.stage.getEngine()
    this.geometry?.dispose()
    this.capacity = this.data.positions.length
    this.indexCapacity = this.data.indices.length
    this.geometry = new Geometry(this.drawn.name, this.stage)
    this.positions = new VertexBuffer(engine, this.data.positions, VertexBuffer.PositionKind, true, false, 3)
    this.tints = new VertexBuffer(engine, this.data.tints, 'tint', true, false, 4)
    this.geometry.setVerticesBuffer(this.positions, this.capacity / 3, true)
    this.geometry.setVerticesBuffer(this.tints, null, true)
    this.geometry.setIndices(this.data.indices, this.capacity / 3, true)
    this.geometry.applyToMesh(this.drawn)
    // a part of the mesh has no box of its own, and sorting asks for one
    this.drawn.subMeshes[0].setBoundingInfo(this.drawn.getBoundingInfo())
  }

  dispose(): void {
    this.geometry?.dispose()
    this.drawn.dispose(true, false)
    this.shader.dispose(false, false)
  }
}
