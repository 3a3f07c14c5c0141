/** Chunk types and version stamps of RenderWare streams. Sources: docs/formats/renderware.md. */

/** type = vendor << 8 | id; 0x0253F2 is Rockstar's vendor number. */
export const ID = {
  struct: 0x01,
  string: 0x02,
  extension: 0x03,
  camera: 0x05,
  texture: 0x06,
  material: 0x07,
  materialList: 0x08,
  world: 0x0b,
  frameList: 0x0e,
  geometry: 0x0f,
  clump: 0x10,
  light: 0x12,
  atomic: 0x14,
  textureNative: 0x15,
  texDictionary: 0x16,
  image: 0x18,
  geometryList: 0x1a,
  animAnimation: 0x1b,
  rightToRender: 0x1f,
  piTexDictionary: 0x23,
  uvAnimDict: 0x2b,
  morph: 0x105,
  skyMipmap: 0x110,
  skin: 0x116,
  particles: 0x118,
  hanim: 0x11e,
  userData: 0x11f,
  matFx: 0x120,
  anisotropy: 0x127,
  uvAnim: 0x135,
  binMesh: 0x50e,
  nativeData: 0x510,
  vertexFormat: 0x511,
  pipelineSet: 0x253f2f3,
  specular: 0x253f2f6,
  effect2d: 0x253f2f8,
  nightColours: 0x253f2f9,
  collision: 0x253f2fa,
  reflection: 0x253f2fc,
  breakable: 0x253f2fd,
  nodeName: 0x253f2fe,
  zmodelerLock: 0xf21e,
} as const

/** As the format's own documents have them: no texts. */
type ChunkName = string
const NAMES: Readonly<Record<number, ChunkName>> = {
  0x01: 'struct',
  0x02: 'string',
  0x03: 'extension',
  0x05: 'camera',
  0x06: 'texture',
  0x07: 'material',
  0x08: 'materialList',
  0x0b: 'world',
  0x0e: 'frameList',
  0x0f: 'geometry',
  0x10: 'clump',
  0x12: 'light',
  0x14: 'atomic',
  0x15: 'textureNative',
  0x16: 'texDictionary',
  0x18: 'image',
  0x1a: 'geometryList',
  0x1b: 'animAnimation',
  0x1f: 'rightToRender',
  0x23: 'piTexDictionary',
  0x2b: 'uvAnimDict',
  0x105: 'morph',
  0x108: 'animationPlg',
  0x10e: 'bonePlg',
  0x110: 'skyMipmap',
  0x116: 'skin',
  0x118: 'particles',
  0x11d: 'collisionPlg',
  0x11e: 'hanim',
  0x11f: 'userData',
  0x120: 'matFx',
  0x122: 'deltaMorph',
  0x127: 'anisotropy',
  0x131: 'pds',
  0x134: 'adc',
  0x135: 'uvAnim',
  0x50e: 'binMesh',
  0x510: 'nativeData',
  0x511: 'vertexFormat',
  0x253f2f2: 'extraNormals',
  0x253f2f3: 'pipelineSet',
  0x253f2f4: 'envAtomic',
  0x253f2f5: 'txdStore',
  0x253f2f6: 'specular',
  0x253f2f8: 'effect2d',
  0x253f2f9: 'nightColours',
  0x253f2fa: 'collision',
  0x253f2fc: 'reflection',
  0x253f2fd: 'breakable',
  0x253f2fe: 'nodeName',
  0x253f2ff: 'samp',
  0xf21e: 'zmodelerLock',
  0xeded: 'skyGfx',
}

/** Name of a chunk type as paths carry it; the number for an unknown one. */
export function chunkName(type: number): string {
  return NAMES[type] ?? `chunk0x${type.toString(16)}`
}

/**
 * Version of a stamp: 0x36003 is 3.6.0.3. A stamp without a high half is the old form, version >> 8 [librw; 3.1 samples].
 */
export function stampVersion(stamp: number): number {
  if (stamp & 0xffff0000) return (((stamp >>> 14) & 0x3ff00) + 0x30000) | ((stamp >>> 16) & 0x3f)
  return (stamp << 8) >>> 0
}

export function stampBuild(stamp: number): number {
  return stamp & 0xffff0000 ? stamp & 0xffff : 0
}

/** The stamp of a version and build; inverse of stampVersion and stampBuild. */
export function makeStamp(version: number, build = 0xffff): number {
  if (version > 0x31000) return (((((version - 0x30000) & 0x3ff00) << 14) | ((version & 0x3f) << 16) | build) >>> 0) >>> 0
  return version >>> 8
}

/** `3.6.0.3` */
export function versionText(stamp: number): string {
  const v = stampVersion(stamp)
  return `${(v >>> 16) & 0xf}.${(v >>> 12) & 0xf}.${(v >>> 8) & 0xf}.${v & 0xff}`
}

/** A stamp that a RenderWare 3 writer can have left: 3.0 to 3.7.x. */
export function plausibleStamp(stamp: number): boolean {
  const v = stampVersion(stamp)
  return v >= 0x30000 && v < 0x38000
}
