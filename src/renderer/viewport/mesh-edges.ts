/** A mesh as edges: all of it for the wireframe, and the range of it that is chosen. Both are made when first shown. */
import { Constants } from '@babylonjs/core/Engines/constants'
import { ShaderMaterial } from '@babylonjs/core/Materials/shaderMaterial'
import { Color4 } from '@babylonjs/core/Maths/math.color'
import type { Matrix } from '@babylonjs/core/Maths/math.vector'
import type { Geometry } from '@babylonjs/core/Meshes/geometry'
import type { Mesh as DrawnMesh } from '@babylonjs/core/Meshes/mesh'
import type { Scene as Stage } from '@babylonjs/core/scene'
import { drawnFrom, drawRange } from './mesh-geometry.ts'
import { wireFragment, wireVertex } from './shaders.ts'
import type { DisplayOptions } from './types.ts'

/** Range of a mesh's indices. */
export interface IndexRange {
  start: number
  count: number
}

/** The colours of edges, shared by the meshes of a model. */
export class EdgeShaders {
  private readonly stage: Stage
  private wireShader: ShaderMaterial | null = null
  private markShader: ShaderMaterial | null = null

  constructor(stage: Stage) {
    this.stage = stage
  }

  wire(dark: boolean): ShaderMaterial {
    this.wireShader ??= this.make()
    this.wireShader.setColor4('uTint', dark ? new Color4(0.02, 0.03, 0.05, 0.6) : new Color4(0.05, 0.07, 0.12, 0.5))
    return this.wireShader
  }

  /** @param strong over a wireframe, from which it has to stand out */
  mark(dark: boolean, strong: boolean): ShaderMaterial {
    this.markShader ??= this.make()
    this.markShader.setColor4(
      'uTint',
      dark ? new Color4(1, 0.72, 0.3, strong ? 0.9 : 0.32) : new Color4(0.85, 0.42, 0, strong ? 0.9 : 0.38),
    )
    return this.markShader
  }

  private make(): ShaderMaterial {
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

  dispose(): void {
    this.wireShader?.dispose(false, false)
    this.markShader?.dispose(false, false)
  }
}

export class MeshEdges {
  private readonly stage: Stage
  private readonly name: string
  private readonly geometry: Geometry
  private readonly matrix: Matrix
  private readonly shaders: EdgeShaders
  private wire: DrawnMesh | null = null
  private mark: { drawn: DrawnMesh; range: IndexRange } | null = null

  /** @param matrix the place of the mesh; changed in place, then told by `move` */
  constructor(stage: Stage, name: string, geometry: Geometry, matrix: Matrix, shaders: EdgeShaders) {
    this.stage = stage
    this.name = name
    this.geometry = geometry
    this.matrix = matrix
    this.shaders = shaders
  }

  move(): void {
    this.wire?.freezeWorldMatrix(this.matrix)
    this.mark?.drawn.freezeWorldMatrix(this.matrix)
  }

  /**
   * @param plain the wireframe is shown
   * @param marked what is chosen of the mesh, null for nothing
   */
  show(plain: boolean, marked: IndexRange | null, vertices: number, display: DisplayOptions): void {
    const dark = display.background === 'dark'
    if (plain) {
      this.wire ??= this.make(0)
      this.wire.material = this.shaders.wire(dark)
    }
    this.wire?.setEnabled(plain)
    if (marked) {
      this.mark ??= { drawn: this.make(1), range: { start: -1, count: -1 } }
      const { drawn, range } = this.mark
      if (range.start !== marked.start || range.count !== marked.count) {
        drawRange(drawn, vertices, marked.start, marked.count)
        this.mark.range = { start: marked.start, count: marked.count }
      }
      drawn.material = this.shaders.mark(dark, display.wireframe)
    }
    this.mark?.drawn.setEnabled(marked !== null)
  }

  hide(): void {
    this.wire?.setEnabled(false)
    this.mark?.drawn.setEnabled(false)
  }

  private make(above: number): DrawnMesh {
    const drawn = drawnFrom(this.geometry, this.name, this.stage, this.matrix)
    drawn.alphaIndex = 1_000_000 + above
    return drawn
  }

  dispose(): void {
    this.wire?.dispose(true, false)
    this.mark?.drawn.dispose(true, false)
  }
}
