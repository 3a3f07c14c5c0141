/** Bones over the model: bright where they are in the open, faint where a surface is in front. */
import type { Scene as Stage } from '@babylonjs/core/scene'
import {
  boneColors,
  boneColorsOnSurface,
  bonesOf,
  boneSegments,
  fillAxes,
  fillBones,
  fillMarks,
  COVERED,
  otherBoneColors,
  overlaySize,
} from './bones.ts'
import type { Bone } from './bones.ts'
import type { Fit } from './apart.ts'
import type { Bounds } from './bounds.ts'
import { FlatBatch, FlatData } from './flat-batch.ts'
import type { PosedModel } from './posed-model.ts'
import type { DisplayOptions, ViewSelection } from './types.ts'
import { pointedJoint } from './view-state.ts'

export class SkeletonOverlay {
  private readonly faces = new FlatData()
  private readonly edges = new FlatData()
  private readonly coveredFaces = new FlatData()
  private readonly coveredEdges = new FlatData()
  private readonly batches: FlatBatch[]
  private readonly axes: FlatBatch
  private readonly other: boolean
  /** by joint, 1: it stands where nobody has to see it; null where all count */
  left: Uint8Array | null = null
  private bones: Bone[] = []
  private model: PosedModel | null = null
  segments = new Float32Array(0)

  /** @param other those of a model that is laid over the shown one: below its bones, and in another colour */
  constructor(stage: Stage, other = false) {
    this.other = other
    const at = other ? 1_900_000 : 2_000_000
    this.batches = [
      new FlatBatch(
        'bones-hidden',
        stage,
        { lines: true, depth: 'behind-only', order: at, tint: [1, 1, 1, COVERED.edges] },
        this.coveredEdges,
      ),
      new FlatBatch(
        'bone-faces-hidden',
        stage,
        { lines: false, depth: 'behind-only', order: at + 1, tint: [1, 1, 1, COVERED.faces] },
        this.coveredFaces,
      ),
      new FlatBatch('bone-faces', stage, { lines: false, depth: 'behind-hidden', order: at + 2 }, this.faces),
      new FlatBatch('bones', stage, { lines: true, depth: 'behind-hidden', order: at + 3 }, this.edges),
    ]
    this.axes = new FlatBatch('joint-axes', stage, { lines: true, depth: 'over', order: at + 4 })
  }

  setModel(model: PosedModel | null): void {
    this.model = model
    this.bones = model ? bonesOf(model.scene.skeleton) : []
    this.segments = new Float32Array(6 * this.bones.length)
    for (const b of this.batches) b.visible = false
    this.axes.visible = false
  }

  get boneList(): readonly Bone[] {
    return this.bones
  }

  /** Follows the pose. The axes of the joint that is pointed at show without the skeleton too. @param axes false where handles stand in their place */
  update(display: DisplayOptions, there: boolean, selection: ViewSelection, hovered: number, bounds: Bounds, axes = true): void {
    const { model } = this
    if (!model) return
    const shown = display.skeleton && there
    const marked = { chosen: new Set(selection.joints ?? [selection.joint]), hovered }
    const pointed = pointedJoint(selection, display)
    const look = { shape: display.boneShape, size: display.boneSize }
    const { skeleton } = model.scene
    const world = model.pose.world
    const size = overlaySize(bounds)
    if (shown) {
      const { left } = this
      const bones = left ? this.bones.filter(({ joint, child }) => !left[joint] || (child >= 0 && !left[child])) : this.bones
      boneSegments(skeleton, bones, world, size.stub, this.segments)
      this.faces.clear()
      this.edges.clear()
      const dark = display.background === 'dark'
      const colors = this.other ? otherBoneColors(boneColors(dark), dark) : boneColors(dark)
      fillBones(this.faces, this.edges, bones, this.segments, size, colors, marked, look)
      fillMarks(this.edges, skeleton, world, size.mark, colors, marked)
      this.coveredFaces.clear()
      this.coveredEdges.clear()
      const covered = this.other ? otherBoneColors(boneColorsOnSurface(), true) : boneColorsOnSurface()
      fillBones(this.coveredFaces, this.coveredEdges, bones, this.segments, size, covered, marked, look)
      fillMarks(this.coveredEdges, skeleton, world, size.mark, covered, marked)
      for (const b of this.batches) b.upload()
    }
    for (const b of this.batches) b.visible = shown
    const withAxes = axes && pointed >= 0 && pointed < skeleton.count
    if (withAxes) {
      this.axes.data.clear()
      fillAxes(this.axes.data, world, pointed, size.mark * 6)
      this.axes.upload()
    }
    this.axes.visible = withAxes
  }

  /** Where they are drawn. */
  set fit(fit: Fit) {
    for (const b of this.batches) b.fit = fit
  }

  isReady(): boolean {
    return this.axes.isReady() && this.batches.every((b) => b.isReady())
  }

  dispose(): void {
    for (const b of this.batches) b.dispose()
    this.axes.dispose()
  }
}
