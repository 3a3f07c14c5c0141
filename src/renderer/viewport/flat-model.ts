/** A model as flat shapes: its triangles in shaders of the owner's, without pictures. Nothing of it is picked. */
import { VertexBuffer } from '@babylonjs/core/Buffers/buffer'
import type { ShaderMaterial } from '@babylonjs/core/Materials/shaderMaterial'
import { Matrix } from '@babylonjs/core/Maths/math.vector'
import { Geometry } from '@babylonjs/core/Meshes/geometry'
import { Mesh } from '@babylonjs/core/Meshes/mesh'
import type { Scene as Stage } from '@babylonjs/core/scene'
import type { Scene } from '../../shared/scene/types.ts'
import { AS_IT_IS } from './apart.ts'
import { PosedModel } from './posed-model.ts'

/** A shader, and where what is drawn with it stands among what is transparent. */
interface Coat {
  shader: ShaderMaterial
  order: number
}

interface Body {
  index: number
  drawn: Mesh[]
  geometry: Geometry
  positions: VertexBuffer
  /** a number for each vertex, where the shaders ask for one */
  values: VertexBuffer | null
  matrix: Matrix
}

export class FlatModel {
  private posed: PosedModel
  private readonly bodies: Body[] = []
  private readonly fitted = Matrix.Identity()

  /** @param values name of the attribute with a number for each vertex */
  constructor(stage: Stage, scene: Scene, name: string, coats: readonly Coat[], values?: string) {
    this.posed = new PosedModel(scene)
    scene.meshes.forEach((mesh, index) => {
      const count = mesh.positions.length / 3
      // effects (light added to the picture) have no shape to show
      const solid = mesh.groups.filter((g) => ['opaque', 'alpha', undefined].includes(scene.materials[g.material]?.blend))
      if (!count || !solid.length || (mesh.billboard && mesh.billboard !== 'none')) return
      const geometry = new Geometry(`${name} ${index}`, stage)
      const positions = new VertexBuffer(stage.getEngine(), mesh.positions, VertexBuffer.PositionKind, true, false, 3)
      geometry.setVerticesBuffer(positions, null, true)
      const numbers = values ? new VertexBuffer(stage.getEngine(), new Float32Array(count), values, true, false, 1) : null
      if (numbers) geometry.setVerticesBuffer(numbers, null, true)
      geometry.setIndices(
        mesh.indices.map((i) => (i < count ? i : 0)),
        count,
      )
      const drawn = coats.map(({ shader, order }) => {
        const one = new Mesh(`${name} ${index}`, stage)
        geometry.applyToMesh(one)
        one.material = shader
        one.alwaysSelectAsActiveMesh = true
        one.doNotSyncBoundingInfo = true
        one.isPickable = false
        one.alphaIndex = order
        return one
      })
      this.bodies.push({ index, drawn, geometry, positions, values: numbers, matrix: Matrix.Identity() })
    })
  }

  get model(): PosedModel {
    return this.posed
  }

  /** Goes over to a scene with the same meshes. False where it has others. */
  adopt(scene: Scene): boolean {
    const { meshes, materials } = this.posed.scene
    if (scene.meshes !== meshes || scene.materials !== materials) return false
    this.posed = new PosedModel(scene)
    return true
  }

  /** The pose as it is now. @param fit where the whole is drawn */
  place(shown: (mesh: number) => boolean, fit = AS_IT_IS): void {
    const { scale, lift } = fit
    Matrix.ScalingToRef(scale, scale, scale, this.fitted)
    this.fitted.setTranslationFromFloats(0, lift, 0)
    for (const { index, drawn, positions, matrix } of this.bodies) {
      const posed = this.posed.meshes[index]
      const on = posed.visible && shown(index)
      for (const one of drawn) one.setEnabled(on)
      if (!on) continue
      positions.updateDirectly(posed.positions, 0)
      Matrix.FromArrayToRef(posed.world, 0, matrix)
      if (fit !== AS_IT_IS) matrix.multiplyToRef(this.fitted, matrix)
      for (const one of drawn) one.freezeWorldMatrix(matrix)
    }
  }

  /** Numbers of the vertices of each mesh. */
  setValues(of: (mesh: number) => Float32Array): void {
    for (const { index, values } of this.bodies) values?.updateDirectly(of(index), 0)
  }

  hide(): void {
    for (const { drawn } of this.bodies) for (const one of drawn) one.setEnabled(false)
  }

  isReady(): boolean {
    return this.bodies.every(({ drawn }) => drawn.every((one) => !one.isEnabled() || one.isReady(true)))
  }

  dispose(): void {
    for (const { drawn, geometry } of this.bodies) {
      for (const one of drawn) one.dispose(true, false)
      geometry.dispose()
    }
    this.bodies.length = 0
  }
}
