/** Another model in the place of the shown one: flat and translucent where the two are apart, with bones of its own. */
import { Constants } from '@babylonjs/core/Engines/constants'
import { Material } from '@babylonjs/core/Materials/material'
import { ShaderMaterial } from '@babylonjs/core/Materials/shaderMaterial'
import { Color4 } from '@babylonjs/core/Maths/math.color'
import type { Scene as Stage } from '@babylonjs/core/scene'
import type { Scene } from '../../shared/scene/types.ts'
import { AS_IT_IS, fitted, jointsDiffer, pairJoints, pairMeshes, roundUp, vertexDistances } from './apart.ts'
import { radius } from './bounds.ts'
import { FlatModel } from './flat-model.ts'
import { standOf } from './grid.ts'
import { shownInLod } from './lods.ts'
import type { ModelView } from './model-view.ts'
import { viewer } from './orbit.ts'
import type { PosedModel } from './posed-model.ts'
import { laidFragment, laidVertex } from './shaders.ts'
import { SkeletonOverlay } from './skeleton-overlay.ts'
import type { ApartShown, LaidModel } from './types.ts'
import type { Vec3 } from './vec.ts'
import type { ViewState } from './view-state.ts'

/** Of the other model, where its own colours would hide what it is compared with. */
const OTHER_TINT: Readonly<Record<'dark' | 'light', Vec3>> = { dark: [0.98, 0.4, 0.76], light: [0.8, 0.06, 0.54] }
/** How much is seen of it in front of the other surface, and below it. */
const OPACITY = { front: 0.5, below: 0.14 }
/** Parts of the model's size: nothing to somebody who looks, and as much as is seen at once. */
const LEAST = 1e-5
const CLEAR = 2e-3

const attributes = ['position', 'apart']
const uniforms = ['world', 'view', 'viewProjection', 'uTint', 'uBias']

/** What both have, and the room for what is measured. */
interface Pairs {
  of: readonly [Scene, Scene]
  meshes: Int32Array
  joints: Int32Array
  /** of meshes with a partner: distances of its vertices, those as parts of the scale */
  far: (Float32Array | null)[]
  shares: (Float32Array | null)[]
  /** by mesh of the other: how clear each vertex is */
  clear: Float32Array[]
  /** by mesh of the other, the partner, -1 for none */
  back: Int32Array
}

function pair(own: Scene, other: Scene): Pairs {
  const meshes = pairMeshes(own, other)
  const back = new Int32Array(other.meshes.length).fill(-1)
  meshes.forEach((j, i) => {
    if (j >= 0) back[j] = i
  })
  const room = (): (Float32Array | null)[] =>
    own.meshes.map((mesh, i) => (meshes[i] >= 0 ? new Float32Array(mesh.positions.length / 3) : null))
  return {
    of: [own, other],
    meshes,
    back,
    joints: pairJoints(own.skeleton, other.skeleton),
    far: room(),
    shares: room(),
    clear: other.meshes.map((mesh) => new Float32Array(mesh.positions.length / 3).fill(1)),
  }
}

export class LaidOver {
  private readonly stage: Stage
  private readonly bones: SkeletonOverlay
  private readonly front: ShaderMaterial
  private readonly below: ShaderMaterial
  private readonly told: (apart: ApartShown | null) => void
  private flat: FlatModel | null = null
  private pairs: Pairs | null = null
  private fit = AS_IT_IS
  private posed: { laid: LaidModel; model: PosedModel; updates: number; hidden: string } | null = null
  private last = ''

  constructor(stage: Stage, told: (apart: ApartShown | null) => void) {
    this.stage = stage
    this.told = told
    this.bones = new SkeletonOverlay(stage, true)
    this.front = this.coat('laid-front', Constants.LEQUAL, 2e-4)
    this.below = this.coat('laid-below', Constants.GREATER, -2e-4)
  }

  private coat(name: string, depth: number, bias: number): ShaderMaterial {
    const sources = { vertexSource: laidVertex, fragmentSource: laidFragment }
    const shader = new ShaderMaterial(name, this.stage, sources, { attributes, uniforms, needAlphaBlending: true })
    shader.alphaMode = Constants.ALPHA_PREMULTIPLIED_PORTERDUFF
    shader.sideOrientation = Material.CounterClockWiseSideOrientation
    shader.depthFunction = depth
    shader.disableDepthWrite = true
    shader.setFloat('uBias', bias)
    return shader
  }

  /** Follows both models. Before the shown one is drawn: its colours come from here. */
  update(state: ViewState): void {
    const { over, model, view, display, bounds } = state
    if (!over || !model || !view) {
      this.clear(view)
      return
    }
    const before = this.flat?.model.scene
    if (before !== over.scene) this.take(over, state)
    const flat = this.flat!
    const hidden = model.meshes.map((_, i) => (view.isShown(i, display) ? 1 : 0)).join('')
    const { posed } = this
    if (
      flat.model.facesViewer ||
      posed?.laid !== over ||
      posed.model !== model ||
      posed.updates !== model.updates ||
      posed.hidden !== hidden
    ) {
      this.posed = { laid: over, model, updates: model.updates, hidden }
      flat.model.inPlace = model.inPlace
      flat.model.update(over.clip, over.time, viewer(state.rig.orbit))
      this.measure(over, model, view, state)
    }
    for (const [shader, part] of [
      [this.front, OPACITY.front],
      [this.below, OPACITY.below],
    ] as const)
      shader.setColor4('uTint', new Color4(...OTHER_TINT[display.background], part))
    const small = (at: Vec3): Vec3 => [at[0] / this.fit.scale, at[1] / this.fit.scale, at[2] / this.fit.scale]
    const marked = { joint: -1, mesh: -1, joints: over.joints }
    this.bones.update(display, true, marked, -1, { min: small(bounds.min), max: small(bounds.max) }, false)
  }

  private take(over: LaidModel, own: ViewState): void {
    if (!this.flat?.adopt(over.scene)) {
      this.flat?.dispose()
      this.flat = new FlatModel(
        this.stage,
        over.scene,
        'laid',
        [
          { shader: this.below, order: 500_000 },
          { shader: this.front, order: 500_001 },
        ],
        'apart',
      )
    }
    const { model } = this.flat
    model.update(-1, 0)
    const rest = model.bounds()
    this.fit = over.fit && rest ? fitted(own, standOf(rest)) : AS_IT_IS
    this.bones.setModel(model)
    this.bones.fit = this.fit
    this.posed = null
  }

  private measure(over: LaidModel, model: PosedModel, view: ModelView, { display, bounds }: ViewState): void {
    const flat = this.flat!
    const other = flat.model
    if (this.pairs?.of[0] !== model.scene || this.pairs.of[1] !== other.scene) this.pairs = pair(model.scene, other.scene)
    const { meshes, joints, far, shares, clear, back } = this.pairs
    const size = radius(bounds)
    const least = size * LEAST
    const seen = (i: number, j: number): boolean => view.isShown(i, display) && other.meshes[j].visible
    const shown: ApartShown = { ...this.fit, vertices: 0, moved: 0, most: 0, top: 0, joints: 0, jointsMoved: 0 }
    far.forEach((distances, i) => {
      const j = meshes[i]
      if (!distances || !seen(i, j)) return
      const { most, moved } = vertexDistances(model.meshes[i], other.meshes[j], this.fit, least, distances)
      shown.vertices += distances.length
      shown.moved += moved
      shown.most = Math.max(shown.most, most)
      for (let v = 0; v < distances.length; v++) clear[j][v] = Math.min(1, distances[v] / (size * CLEAR))
    })
    shown.top = roundUp(shown.most)
    const coloured = over.distances && shown.vertices > 0
    if (coloured)
      far.forEach((distances, i) => {
        const share = shares[i]
        if (distances && share) for (let v = 0; v < share.length; v++) share[v] = shown.top > 0 ? distances[v] / shown.top : 0
      })
    view.distances = coloured ? shares.map((share, i) => (share && seen(i, meshes[i]) ? share : null)) : null
    flat.setValues((j) => clear[j])
    flat.place((j) => (back[j] >= 0 ? view.isShown(back[j], display) : shownInLod(other.scene, other.meshes[j].mesh.lod, -1)), this.fit)
    const left = new Uint8Array(joints.length)
    joints.forEach((i, j) => {
      if (i < 0) return
      shown.joints++
      if (jointsDiffer(model.pose.world, i, other.pose.world, j, this.fit, least)) shown.jointsMoved++
      else left[j] = 1
    })
    this.bones.left = left
    this.tell(shown)
  }

  private tell(shown: ApartShown | null): void {
    const said = JSON.stringify(shown)
    if (said === this.last) return
    this.last = said
    this.told(shown)
  }

  private clear(view: ModelView | null): void {
    if (view) view.distances = null
    if (!this.flat) return
    this.flat.dispose()
    this.flat = null
    this.pairs = null
    this.posed = null
    this.bones.setModel(null)
    this.tell(null)
  }

  isReady(): boolean {
    return this.bones.isReady() && this.flat?.isReady() !== false
  }

  dispose(): void {
    this.clear(null)
    this.bones.dispose()
    this.front.dispose(false, false)
    this.below.dispose(false, false)
  }
}
