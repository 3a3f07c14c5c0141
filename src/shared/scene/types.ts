/**
 * The neutral scene that every family is turned into for the viewport, thumbnails and glTF.
 *
 * Conventions are glTF's: right-handed, Y up, +Z front, column vectors, column-major matrices,
 * quaternions x,y,z,w, texture coordinates with v = 0 at the top row of the picture. Lengths are
 * the family's own unit (see Scene.unitsPerMetre). Track times are *native* (frames, milliseconds,
 * ticks): seconds = time / Clip.rate. Native times keep key numbers exact on screen and let the user
 * change the tick rate of a game without rebuilding a scene.
 *
 * Bulk data is in typed arrays, one per field. Everything here can be structured-cloned.
 */

/** Where a thing of the scene stands in a file: `ref` names the file (`dir/pack!member`), `path` the node in its document. */
export interface SourceRef {
  ref: string
  /** reads like `nodes[3].mdt.materials[0]` */
  path: string
}

export interface Scene {
  name: string
  /** e.g. 100 where one unit is a centimetre; 1 where unknown */
  unitsPerMetre: number
  skeleton: Skeleton
  meshes: Mesh[]
  skins: Skin[]
  materials: Material[]
  textures: Texture[]
  clips: Clip[]
  slices: Slice[]
  markers: Marker[]
  /** boxes, points and other helpers that are drawn as lines */
  helpers: Helper[]
  /** names of levels of detail, lowest detail first; empty where the model has none. Mesh.lod indexes it. */
  lods: string[]
}

/** All nodes of the model: joints, attach points and owners of meshes. A parent stands before its children. */
export interface Skeleton {
  count: number
  names: string[]
  /** index of the parent, -1 for a root; parents[i] < i */
  parents: Int32Array
  /** 16 per joint: local rest matrix, column-major; what a joint without tracks keeps */
  restLocal: Float32Array
  /** 3, 4 (x,y,z,w) and 3 per joint: the same rest matrix taken apart; what a track replaces one part of */
  restTranslation: Float32Array
  restRotation: Float32Array
  restScale: Float32Array
  /** native index of each joint in its file (node, pivot, frame, bone number) */
  nativeIndex: Int32Array
  sources: SourceRef[]
  /** joints that are not bones: `attach` points to be shown as such, `hidden` ones not at all */
  roles?: ('joint' | 'attach' | 'mesh' | 'hidden')[]
  /** joints that turn to the viewer */
  billboards?: ('none' | 'y' | 'full')[]
}

export interface MeshGroup {
  /** first index and number of indices in Mesh.indices */
  start: number
  count: number
  /** index into Scene.materials, -1 for none */
  material: number
  /** where a file has it as a thing of its own */
  source?: SourceRef
}

export interface Mesh {
  name: string
  /** joint that carries the mesh (its world matrix moves it); for a skinned mesh the owner, which then only matters for unweighted vertices */
  joint: number
  /** 3 per vertex. Rigid mesh: in the joint's space. Skinned mesh: in scene space at bind */
  positions: Float32Array
  /** 3 per vertex, unit length, or empty */
  normals: Float32Array
  /** 2 per vertex for each set */
  uvs: Float32Array[]
  /** RGBA 0..1, 4 per vertex, or empty */
  colors: Float32Array
  /** three per triangle, counter-clockwise front */
  indices: Uint32Array
  groups: MeshGroup[]
  /** index into Scene.skins, -1 for a rigid mesh */
  skin: number
  /** native vertex number of each vertex (a vertex that is split for its UVs keeps the number of its origin) */
  nativeVertex: Uint32Array
  /** number of vertices in the file */
  nativeVertexCount: number
  visible: boolean
  /** index into Scene.lods, -1 for "in every level" */
  lod: number
  /** turned to the viewer: about its up axis, fully against the way the viewer looks, or towards the place where the viewer is */
  billboard?: 'none' | 'y' | 'full' | 'eye'
  /** drawing hints: render after others with this order (sort levels of a game) */
  sortLevel?: number
  source: SourceRef
}

/** Which joints move the vertices of a mesh, any number per vertex (compressed rows). */
export interface Skin {
  name: string
  /** joints this skin uses, as indices into the skeleton */
  joints: Uint32Array
  /** 16 per entry of `joints`: scene space at bind to joint space, column-major */
  inverseBind: Float32Array
  /** influences of vertex v are entries offsets[v] .. offsets[v+1]-1 */
  offsets: Uint32Array
  /** index into `joints` */
  slots: Uint16Array
  /** normalised to a sum of 1 per vertex for display; native weights are read through the weight editor */
  weights: Float32Array
  source: SourceRef
}

export type BlendMode = 'opaque' | 'alpha' | 'additive' | 'subtractive' | 'multiply' | 'screen'

export interface MaterialLayer {
  /** index into Scene.textures, -1 for none */
  texture: number
  uvSet: number
  blend: BlendMode
}

export interface Material {
  name: string
  /** RGBA 0..1, straight alpha, display (sRGB) values */
  diffuse: [number, number, number, number]
  emissive: [number, number, number]
  specular: [number, number, number]
  shininess: number
  texture: number
  uvSet: number
  /** further layers drawn over the first */
  layers: MaterialLayer[]
  blend: BlendMode
  /** pixels below this alpha (0..1) are not drawn; -1 for no test */
  alphaTest: number
  doubleSided: boolean
  depthWrite: boolean
  depthTest: boolean
  lit: boolean
  vertexColors: boolean
  /** vertex colours of a lit material are light of their own that the lamps add to, not a tint */
  prelit?: boolean
  wrapU: 'repeat' | 'clamp' | 'mirror'
  wrapV: 'repeat' | 'clamp' | 'mirror'
  filter: 'nearest' | 'linear'
  /** scrolled per second, (u,v) */
  uvScroll?: [number, number]
  /** drawn in the player's colour */
  teamColor?: boolean
  /** environment map: texture coordinates come from the view direction */
  environment?: boolean
  source: SourceRef
}

export interface Texture {
  name: string
  width: number
  height: number
  /** RGBA, rows from the top, straight alpha; empty when missing */
  rgba: Uint8Array
  /** no file was found: the viewport shows a checker */
  missing: boolean
  hasAlpha: boolean
  source: SourceRef
}

export type TrackTarget = { kind: 'joint'; index: number } | { kind: 'material'; index: number } | { kind: 'mesh'; index: number }

/**
 * translation, scale, color (RGB): 3 values per key; rotation: 4 (x,y,z,w); visibility, opacity: 1;
 * vertex: 3, the position of native vertex `vertex` of a mesh; camera: 1, shown only as a curve.
 */
export type TrackProperty = 'translation' | 'rotation' | 'scale' | 'visibility' | 'opacity' | 'color' | 'vertex' | 'camera' | 'unknown'

export interface Track {
  target: TrackTarget
  property: TrackProperty
  interpolation: 'linear' | 'slerp' | 'step'
  /**
   * `absolute` values replace the rest part; `delta` values are applied after the whole rest transform
   * (local = rest * T(value) or rest * R(value)).
   */
  mode: 'absolute' | 'delta'
  /** ascending native times */
  times: Float32Array
  values: Float32Array
  /** 1 for a key that is jumped to, not blended to, from the key before it; absent when none is */
  stepInto?: Uint8Array
  /** value outside the first and last key: hold it (default), or rest */
  outside?: 'hold' | 'rest'
  /** native vertex number for property `vertex` */
  vertex?: number
  /** scene values as the file has them need this label on screen, e.g. "type 40 transparency" */
  label: string
  source: SourceRef
}

export interface Clip {
  name: string
  tracks: Track[]
  /** of a window alone: its tracks are with the services and come when it is shown; until then `tracks` is empty */
  away?: true
  /** first and last native time */
  start: number
  end: number
  /** native time units per second */
  rate: number
  unit: 'frame' | 'ms' | 's'
  /** `blend`: the last frame blends towards the first; `wrap`: jumps back; `none`: stops */
  loop: 'none' | 'wrap' | 'blend'
  /** tracks of the file that found their joint in this model */
  fit: { matched: number; total: number }
  events: ClipEvent[]
  source: SourceRef
}

export interface ClipEvent {
  time: number
  type: string
  info: string
  source: SourceRef
}

/** A named window on a clip; `end` is inclusive as a pose. Position in the list is the game's motion number. */
export interface Slice {
  /** index into Scene.clips */
  clip: number
  name: string
  start: number
  end: number
  /** native time units per game tick where the game counts in them, 1 elsewhere */
  speed: number
  loop: boolean
  source: SourceRef
}

/** A named place in time on a clip, Marrow's own. */
export interface Marker {
  /** index into Scene.clips */
  clip: number
  name: string
  /** native time of the clip */
  time: number
  source: SourceRef
}

export interface Helper {
  name: string
  kind: 'box' | 'orientedBox' | 'point' | 'sphere' | 'light' | 'mesh'
  joint: number
  center: [number, number, number]
  /** half sizes; radius in [0] for a sphere */
  extent: [number, number, number]
  color: [number, number, number]
  label: string
  source: SourceRef
}

/** An empty scene; assemblers fill it in. */
export function emptyScene(name: string): Scene {
  return {
    name,
    unitsPerMetre: 1,
    skeleton: emptySkeleton(),
    meshes: [],
    skins: [],
    materials: [],
    textures: [],
    clips: [],
    slices: [],
    markers: [],
    helpers: [],
    lods: [],
  }
}

function emptySkeleton(): Skeleton {
  return {
    count: 0,
    names: [],
    parents: new Int32Array(0),
    restLocal: new Float32Array(0),
    restTranslation: new Float32Array(0),
    restRotation: new Float32Array(0),
    restScale: new Float32Array(0),
    nativeIndex: new Int32Array(0),
    sources: [],
  }
}

export function plainMaterial(name: string, source: SourceRef): Material {
  return {
    name,
    diffuse: [1, 1, 1, 1],
    emissive: [0, 0, 0],
    specular: [0, 0, 0],
    shininess: 1,
    texture: -1,
    uvSet: 0,
    layers: [],
    blend: 'opaque',
    alphaTest: -1,
    doubleSided: false,
    depthWrite: true,
    depthTest: true,
    lit: true,
    vertexColors: false,
    wrapU: 'repeat',
    wrapV: 'repeat',
    filter: 'linear',
    source,
  }
}
