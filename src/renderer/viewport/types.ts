/**
 * What the viewport takes and gives: plain data, no Babylon.js, no Vue.
 *
 * `<Viewport :scene :clip :time :display :selection @pick @hover @ready @stats @display />` and the handle that a template ref gives.
 * A Scene must be raw (`shallowRef` / `markRaw`); a new object means a new model, the same object is never read again.
 */

import type { Scene } from '../../shared/scene/types.ts'
import { SETTINGS } from '../../shared/api/settings.ts'
import type { LocalPose } from './gizmo.ts'
import type { GrabHold } from './grab.ts'
import type { CarriedStand } from './orbit.ts'
import type { Vec3 } from './vec.ts'

export type ViewName = 'front' | 'back' | 'left' | 'right' | 'top' | 'bottom' | 'three-quarter'

/** The camera about a target. */
export interface Orbit {
  target: Vec3
  /** radians about Y; at 0 the camera stands at +Z, at a quarter turn at +X */
  yaw: number
  /** radians above the floor, -pi/2 to pi/2 */
  pitch: number
  distance: number
  /** vertical field of view, radians */
  fov: number
  /** without perspective: as large as the target is with it */
  parallel?: boolean
}

export interface DisplayOptions {
  /** edges of triangles, drawn over the surface */
  wireframe: boolean
  /** bones and attach points, drawn over the meshes */
  skeleton: boolean
  /** names of bones beside them, as many as fit */
  names: boolean
  /** floor grid and axes */
  grid: boolean
  /** pictures on surfaces; plain clay when off */
  textures: boolean
  /** a checker in place of pictures that were not found; clay when off */
  checker: boolean
  /** false: colours of the file with no light */
  lit: boolean
  /** boxes, points and lights that are not drawn by the game */
  helpers: boolean
  /** joint whose weights colour the skinned meshes, -1 for none */
  heatJoint: number
  /** mesh that shows the heat map, -1 for every mesh */
  heatMesh: number
  /** preview of the player's colour, '#rrggbb' */
  teamColor: string
  /** index into Scene.lods, -1 for the highest */
  lod: number
  /** indices into Scene.meshes that the user has hidden */
  hiddenMeshes?: readonly number[]
  /** groups of meshes that the user has hidden, as `groupKey` names them */
  hiddenGroups?: readonly string[]
  background: 'light' | 'dark'
  /** the model at other moments of the clip, drawn as flat shapes */
  onion?: Onion | null
  /** the way of the selected joint through the clip, with its keys */
  trail?: boolean
  /** the camera goes along with a model that walks away */
  follow: boolean
  /** a model that walks stays where it began; not while a tool holds a joint */
  inPlace: boolean
  /** where the clip carries the model over the ground */
  rootPath: boolean
  /** a box takes only vertices that can be seen */
  frontOnly: boolean
  boneShape: BoneShape
  /** factor on the usual thickness of bones */
  boneSize: number
}

export const BONE_SHAPES = ['octahedral', 'stick'] as const
export type BoneShape = (typeof BONE_SHAPES)[number]
/** Factors on the thickness of bones. */
export const BONE_SIZES = { least: 0.4, most: 3, step: 1.25 } as const

export interface Onion {
  /** number of ghosts, at most 8 each way */
  before: number
  after: number
  /** native time between them */
  step: number
}

/** What the pointer does to the selected joint, or with `reach` to any that it takes: the chain follows. */
export interface ViewTool {
  kind: 'none' | 'move' | 'rotate' | 'reach'
  space: 'local' | 'parent' | 'world'
  /** the joint moves at rest, below skins that stay where they are */
  keepSkin?: boolean
  reach?: ReachOptions
}

export interface ReachOptions {
  /** joints that stay where they are */
  pins: readonly number[]
  /** bones that bend for a joint, where the user chose how many */
  bones: ReadonlyMap<number, number>
  /** trunk and hips come after what a limb does not reach */
  follow: boolean
}

/**
 * A joint being posed by a handle: its local transform (the space of its parent), parts that the handle does not touch as they were.
 * The viewport shows it at once. After `end` it goes on showing it until a new scene, another moment or another joint comes, so that the
 * window can write the edit in its own time; `cancel` puts it back.
 */
export interface PoseDrag {
  joint: number
  kind: 'move' | 'rotate'
  translation: [number, number, number]
  rotation: [number, number, number, number]
  phase: 'start' | 'drag' | 'end' | 'cancel'
}

/**
 * A joint in another place than the clip has it: its local translation and rotation, and where it says so its scale. `keepSkin`: skins stay as they
 * were without it.
 */
export interface HeldJoint {
  joint: number
  translation: ArrayLike<number>
  rotation: ArrayLike<number>
  scale?: number[]
  keepSkin?: boolean
}

/** A point in another place than the scene has it. */
export interface HeldPoint {
  /** index into Scene.helpers */
  helper: number
  /** in its joint's space */
  center: [number, number, number]
}

/** What tools hold in the picture: one joint, or several, or a point. */
export interface HeldPose {
  held: HeldJoint | null
  posed: PosedJoints | null
  point: HeldPoint | null
}

/** Joints in other places than the clip has them: local transforms of all joints of the skeleton, and which of them count. */
export interface PosedJoints {
  turned: readonly number[]
  moved: readonly number[]
  /** 3 per joint of the skeleton */
  translation: Float64Array
  /** 4 per joint */
  rotation: Float64Array
}

/** Joints being posed together, as a PoseDrag is. */
export interface ReachDrag {
  /** that the pointer holds */
  joint: number
  pose: PosedJoints
  phase: PoseDrag['phase']
  /** so many joints were moved or turned at once, and no chain followed */
  grabbed?: { kind: PoseDrag['kind']; count: number }
}

/** What is being moved or turned at once, for the line at the picture. */
export interface GrabShown {
  kind: PoseDrag['kind']
  /** an axis, or all but one; null: the plane of the screen */
  hold: GrabHold | null
  /** scene units along each axis that counts, or radians about it */
  amounts: readonly { axis: 0 | 1 | 2; value: number }[]
  /** digits as they were typed */
  typed: string
  /** that are held; none: a point is */
  joints: readonly number[]
}

/** A helper of kind `point` being moved by the handle: its place in its joint's space. Shown and let go of as a PoseDrag is. */
export interface PointDrag extends HeldPoint {
  phase: 'start' | 'drag' | 'end' | 'cancel'
}

/** A place on the surface as it is posed now. */
export interface SurfacePlace {
  mesh: number
  joint: number
  /** in the joint's space */
  center: [number, number, number]
}

/** A round brush on one mesh. While it is there the main button paints, the second one orbits. */
export interface ViewBrush {
  mesh: number
  /** pixels */
  radius: number
}

/** A place that the brush went over. */
export interface BrushDab {
  phase: 'start' | 'drag'
  mesh: number
  /** middle and radius in the scene as it is posed now */
  point: [number, number, number]
  radius: number
  /** 3 per vertex of the mesh, the same space; read it at once */
  positions: Float32Array
  /** the control key is down: the other way round */
  inverse: boolean
}

/** A stroke of the brush: dabs, and one `end` or `cancel` after every `start`. */
export type BrushEvent = BrushDab | { phase: 'end' | 'cancel' }

export const defaultDisplay: Readonly<DisplayOptions> = Object.freeze({
  wireframe: false,
  skeleton: false,
  names: false,
  grid: true,
  textures: true,
  checker: SETTINGS.missingTextures.default !== 'clay',
  lit: true,
  helpers: false,
  heatJoint: -1,
  heatMesh: -1,
  teamColor: SETTINGS.teamColor.default,
  lod: -1,
  follow: false,
  inPlace: false,
  rootPath: false,
  frontOnly: false,
  boneShape: 'octahedral',
  boneSize: 1,
  background: 'dark',
} satisfies DisplayOptions)

export const groupKey = (mesh: number, group: number): string => `${mesh}:${group}`

/** Indices into the scene; -1 for none. */
export interface ViewSelection {
  joint: number
  mesh: number
  /** vertex of `mesh` (index into its positions, not the native number) */
  vertex?: number
  /** all vertices of `mesh` that are chosen, as indices into its positions: a box adds to them. Without it a box is about bones */
  vertices?: readonly number[]
  /** all joints that are chosen, with `joint`; that one alone without it */
  joints?: readonly number[]
  /** group of `mesh`: marked instead of the whole */
  group?: number
  /** index into Scene.helpers: drawn whether or not helpers are; a tool then holds it, not the joint */
  helper?: number
}

export const noSelection: Readonly<ViewSelection> = Object.freeze({ joint: -1, mesh: -1 })

/** What a click hit. Empty: the background, which clears the selection. */
export interface ViewPick {
  /** beside what is chosen, or no longer chosen where it was */
  add?: boolean
  /** joints within a box, beside what is chosen */
  joints?: readonly number[]
  /** vertices of `mesh` within a box, as the file numbers them, beside what is chosen */
  vertices?: readonly number[]
  /** index into Scene.helpers */
  helper?: number
  joint?: number
  mesh?: number
  /** nearest vertex to the click, as an index into Mesh.positions */
  vertex?: number
  /** the same vertex as the file numbers it */
  nativeVertex?: number
  material?: number
  /** index into Mesh.groups */
  group?: number
}

export interface ViewStats {
  fps: number
  /** drawn now */
  triangles: number
  vertices: number
  /** milliseconds for pose, skinning and upload of the last frame */
  cpu: number
}

/** Keys as the window shows them, by what the toolbar does; absent where there is none. */
export type ViewKeys = Partial<
  Record<
    | 'wireframe'
    | 'skeleton'
    | 'names'
    | 'textures'
    | 'lit'
    | 'grid'
    | 'helpers'
    | 'heat'
    | 'follow'
    | 'inPlace'
    | 'frame'
    | 'parallel'
    | ViewName,
    string
  >
> & {
  /** said with the picture: how the camera is moved by keys */
  help?: string
}

/** What `<Viewport ref>` exposes. */
export interface ViewportHandle {
  /** Frames the selection; the whole model without one. */
  frame(what?: 'selection' | 'all'): void
  setView(view: ViewName): void
  /** With perspective or without it. */
  toggleParallel(): void
  /** Of the model, in its own units. */
  readonly stand: CarriedStand
  /** Puts the camera where another one stands. */
  place(orbit: Orbit): void
  /** What the camera looks at from now on is the model where it stands now. */
  aim(): void
  /** Orbits by angles in radians. */
  turn(dYaw: number, dPitch: number): void
  /** Moves the picture by pixels. */
  pan(dx: number, dy: number): void
  /** Below 1 nearer, above 1 farther. */
  zoom(factor: number): void
  /** The picture as PNG, without overlay text: for who looks at its exact colours. */
  screenshot(): Promise<Blob>
  /** The shown figure with nothing behind it, as the camera has it. */
  figure(): Promise<ImageData>
  focus(): void
  /** Where the camera stands; null until a model is shown. */
  readonly orbit: Orbit | null
  /**
   * The surface under the pointer, in the space of a joint: of the given one, without one of that which moves the surface there most.
   * Null where the pointer is on no surface.
   */
  placeAtPointer(joint?: number): SurfacePlace | null
  /**
   * Weights (0..1) of the vertices of a mesh in place of the file's, until null, or a new scene comes.
   * Drawn where that mesh shows a heat map.
   */
  previewHeat(mesh: number, values: Float32Array | null): void
  /**
   * Moves or turns what is chosen with the pointer from now on, until a press or a key ends it. False where nothing is chosen that can be.
   * @param keepSkin skins stay where a joint is moved at rest
   */
  grab(kind: PoseDrag['kind'], keepSkin?: boolean): boolean
  /**
   * Shows a joint as numbers say that are being typed, until another scene, moment or joint comes. Null: as it was before, also by a tool.
   * @param keepSkin skins stay where a joint is moved at rest
   */
  hold(joint: number, pose: LocalPose | null, keepSkin?: boolean): void
  /** The same of a point: where numbers have it that are being typed. */
  holdPoint(helper: number, center: HeldPoint['center'] | null): void
  /** Puts a joint or point that a handle or a number moved back where the scene has it. */
  letGo(): void
  /** The picture shows all that was asked for, and no frame is due. */
  readonly atRest: boolean
  /** Live objects of the engine; null where there is no picture. */
  counts(): EngineCounts | null
}

export interface EngineCounts {
  meshes: number
  materials: number
  textures: number
  geometries: number
}

export interface ThumbnailImage {
  width: number
  height: number
  rgba: Uint8ClampedArray
}

/** Another model in the place of the shown one. */
export interface LaidModel {
  /** raw, as the shown one's is */
  scene: Scene
  clip: number
  time: number
  /** of its joints those that are chosen */
  joints: readonly number[]
  /** the shown model has the colours of distances from it, where both are of one make */
  distances: boolean
  /** where it is of quite another size it is drawn as large as the shown one, and on its floor where it has quite another */
  fit: boolean
}

/** How far both are from each other now. */
export interface ApartShown {
  /** the other one is drawn so many times as large, and so much higher */
  scale: number
  lift: number
  /** of meshes of one make: all, and those that are elsewhere */
  vertices: number
  moved: number
  /** the farthest, and where the colours end, scene units */
  most: number
  top: number
  /** of one name: all, and those that stand elsewhere or are turned otherwise */
  joints: number
  jointsMoved: number
}

/** What a stage tells its frame. */
export interface StageEvents {
  pick(what: ViewPick): void
  /** A menu is asked for. @param what is under the pointer; null where the keyboard asks @param at px of the window */
  menu(what: ViewPick | null, at: { x: number; y: number }): void
  /** joint under the pointer, -1 for none */
  hover(joint: number): void
  ready(): void
  stats(stats: ViewStats): void
  /** the camera moved */
  camera(): void
  /** null while nothing is laid over the model */
  apart(shown: ApartShown | null): void
  /** empty when it is over */
  trouble(message: string): void
  pose(drag: PoseDrag): void
  reach(drag: ReachDrag): void
  point(drag: PointDrag): void
  /** null when it is over */
  grab(shown: GrabShown | null): void
  /** tools hold something else than they did */
  held(shown: HeldPose): void
  brush(event: BrushEvent): void
  /** @returns pixels that are free of tools at either side of the middle of the picture, from head to foot */
  beside(): number
}
