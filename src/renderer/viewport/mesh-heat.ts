/** The weights of one joint on the vertices of a mesh, for the surface that shows them as colours. */
import { VertexBuffer } from '@babylonjs/core/Buffers/buffer'
import type { Geometry } from '@babylonjs/core/Meshes/geometry'
import type { Scene as Stage } from '@babylonjs/core/scene'
import { weightsOf } from './heat.ts'
import type { PosedMesh } from './posed-model.ts'

export class MeshHeat {
  private readonly buffer: VertexBuffer
  private readonly values: Float32Array
  /** joint whose weights the buffer has, -1 for none */
  private joint = -1

  constructor(stage: Stage, geometry: Geometry, vertices: number) {
    this.values = new Float32Array(vertices)
    this.buffer = new VertexBuffer(stage.getEngine(), this.values, 'heat', true, false, 1)
    geometry.setVerticesBuffer(this.buffer, null, true)
  }

  /** @param preview weights that are being painted, or other numbers of the vertices: in place of the scene's */
  show(posed: PosedMesh, joint: number, preview: Float32Array | null): void {
    if (preview?.length === this.values.length) {
      // read anew from the scene when it is over
      this.joint = -1
      this.buffer.updateDirectly(preview, 0)
      return
    }
    if (this.joint === joint) return
    this.joint = joint
    weightsOf(posed.mesh, posed.skin, joint, this.values)
    this.buffer.updateDirectly(this.values, 0)
  }

  /** The scene's weights may be others. */
  forget(): void {
    this.joint = -1
  }
}
