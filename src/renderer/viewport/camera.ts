/** An engine camera whose matrices are those of an Orbit. */
import { Camera } from '@babylonjs/core/Cameras/camera'
import { Matrix, Vector3 } from '@babylonjs/core/Maths/math.vector'
import type { Scene as Stage } from '@babylonjs/core/scene'
import { eye, halfHeight, parallelMatrix, projectionMatrix, viewMatrix } from './orbit.ts'
import type { Orbit } from './orbit.ts'

export class OrbitCamera extends Camera {
  private readonly seen = Matrix.Identity()
  private readonly lens = Matrix.Identity()
  private readonly scratch = new Float32Array(16)

  constructor(stage: Stage) {
    super('orbit', Vector3.Zero(), stage)
  }

  place(orbit: Orbit, aspect: number, near: number, far: number): void {
    Matrix.FromArrayToRef(viewMatrix(orbit, this.scratch), 0, this.seen)
    const lens = orbit.parallel
      ? parallelMatrix(halfHeight(orbit), aspect, near, far, this.scratch)
      : projectionMatrix(orbit.fov, aspect, near, far, this.scratch)
    Matrix.FromArrayToRef(lens, 0, this.lens)
    this.position.fromArray(eye(orbit))
    this.minZ = near
    this.maxZ = far
    this.freezeProjectionMatrix(this.lens)
  }

  override _getViewMatrix(): Matrix {
    return this.seen
  }

  override _isSynchronizedViewMatrix(): boolean {
    return false
  }
}
