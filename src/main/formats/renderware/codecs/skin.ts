/**
 * Skin PLG: bone numbers and weights of every vertex, and the matrices that bring the mesh to each bone.
 *
 * Three layouts share the chunk id. The size of the chunk tells them apart, since stamps do not (old layouts are found
 * under 3.6.0.3); the rule of the header (no maximum of weights means old, as the engine of San Andreas decides)
 * only breaks a tie that the dead words of the old layout do not. Evidence: docs/formats/renderware.md.
 */
import { constant32, flags32, named, record, u32 } from '../../../binary/layout.ts'
import { say } from '../texts/index.ts'
import type { Reader } from '../../../binary/reader.ts'
import type { ChunkText } from '../texts/chunks.ts'
import type { LeafCodec } from './chunk.ts'

export type SkinLayout = 'new' | 'old' | 'legacy'

/** Words before the matrix in each bone's record: none, the dead word, or id, index and flags. */
const BONE_PREFIX: Readonly<Record<SkinLayout, number>> = { new: 0, old: 1, legacy: 3 }

export const DEAD_WORD = 0xdeaddead

/** Palettes of bones for hardware limits. The public page declares pairs as u16; they are two bytes each. */
export interface SplitData {
  /** most bones in a palette */
  boneLimit: number
  /** BinMesh meshes that are described; 0 where the skin is not split, and then no array follows */
  numMeshes: number
  numRLE: number
  /** per bone: its slot in the palettes of the meshes that use it, 0xFF for none */
  remap: Uint8Array
  /** 2 per mesh: first run, number of runs */
  rleCount: Uint8Array
  /** 2 per run: first bone, number of bones; they take consecutive slots */
  rle: Uint8Array
}

export interface Skin {
  layout: SkinLayout
  numBones: number
  numUsed: number
  maxWeights: number
  pad: number
  /** numbers of bones with weights, as listed; may be wrong in files of other tools */
  used: Uint8Array
  /** legacy layout has the number of vertices in its own header; elsewhere it is the geometry's */
  numVertices: number
  /** 4 per vertex; slots with weight 0 hold junk that is kept */
  indices: Uint8Array
  /** 4 per vertex */
  weights: Float32Array
  /** strided records: prefix words, then 16 floats; see boneStride, boneMatrix */
  bones: Uint32Array
  /** absent in old and legacy layouts, and in damaged new ones */
  split: SplitData | null
}

/** Words per bone record. */
export function boneStride(skin: Pick<Skin, 'layout'>): number {
  return 16 + BONE_PREFIX[skin.layout]
}

/**
 * skinToBone of a bone: 16 floats as stored, row vectors (right, flags, up, pad, at, pad, pos, pad). Words 3, 7, 11 and 15
 * are flags and padding, not 0,0,0,1: never compute with them. A view: writing to it changes the skin.
 */
export function boneMatrix(skin: Skin, bone: number): Float32Array {
  const at = boneStride(skin) * bone + BONE_PREFIX[skin.layout]
  return new Float32Array(skin.bones.buffer, skin.bones.byteOffset + 4 * at, 16)
}

interface Candidate {
  layout: 'new' | 'old'
  listed: boolean
}

/** The layout whose size is the chunk's; by the header where none or several are. */
function chooseLayout(r: Reader, nb: number, nu: number, maxWeights: number, nv: number): Candidate {
  const size = r.end - r.start
  const fits: Candidate[] = []
  const newSize = 4 + nu + 20 * nv + 64 * nb
  if (newSize + 12 <= size) {
    const numMeshes = r.peekU32(r.start + newSize + 4)
    const numRLE = r.peekU32(r.start + newSize + 8)
    if (newSize + 12 + (numMeshes > 0 ? nb + 2 * (numMeshes + numRLE) : 0) === size) fits.push({ layout: 'new', listed: true })
  }
  if (4 + 20 * nv + 68 * nb === size) fits.push({ layout: 'old', listed: false })
  const dead = (first: number): boolean => {
    for (let b = 0; b < nb; b++) if (r.peekU32(first + 68 * b) !== DEAD_WORD) return false
    return nb > 0
  }
  // no known writer lists used bones in the old layout: a new one with bytes behind it has this size by chance
  if (nu > 0 && 4 + nu + 20 * nv + 68 * nb === size && (maxWeights === 0 || dead(r.start + 4 + nu + 20 * nv)))
    fits.push({ layout: 'old', listed: true })
  const byHeader = maxWeights === 0 ? 'old' : 'new'
  // sizes coincide where nu + 12 = 4 * nb: dead words in front of every matrix tell, then the header
  if (fits.length > 1) {
    const old = fits.find((c) => c.layout === 'old')!
    if (dead(r.start + 4 + (old.listed ? nu : 0) + 20 * nv)) return old
  }
  return fits.find((c) => c.layout === byHeader) ?? fits[0] ?? { layout: byHeader, listed: byHeader === 'new' }
}

/** What stands behind the list of used bones. */
const COLUMNS = ['vertexBoneIndices', 'vertexBoneWeights', 'skinToBoneMatrices']

function readVertices(r: Reader, nv: number, nb: number, stride: number): Pick<Skin, 'indices' | 'weights' | 'bones'> {
  r.count(nv, 20, 'numVertices')
  // aligned as a whole; the three columns are views of it, all on multiples of four
  const { buffer, byteOffset: at } = r.u32s(5 * nv + stride * nb, COLUMNS.join(', '))
  return {
    indices: new Uint8Array(buffer, at, 4 * nv),
    weights: new Float32Array(buffer, at + 4 * nv, 4 * nv),
    bones: new Uint32Array(buffer, at + 20 * nv, stride * nb),
  }
}

const NOTHING: Uint8Array = new Uint8Array(0)

const COUNTED = { use: { is: 'structure' } } as const

export const skinPlg: LeafCodec<Skin> = {
  id: 'skin',
  fixed: -1,
  read(r, scope) {
    if (!scope.geometry) return r.fail('bad-value', say('codecs.skinWithoutGeometry'), 'vertexBoneIndices')
    const nv = scope.geometry.numVertices
    const numBones = r.u8('numBones')
    const numUsed = r.u8('numUsedBones')
    const maxWeights = r.u8('maxWeightsPerVertex')
    const pad = r.u8('padding')
    const { layout, listed } = chooseLayout(r, numBones, numUsed, maxWeights, nv)
    const used = listed ? r.take(numUsed, 'bonesUsed') : NOTHING
    const columns = readVertices(r, nv, numBones, 16 + BONE_PREFIX[layout])
    let split: SplitData | null = null
    if (layout === 'new' && r.remaining >= 12) {
      const boneLimit = r.u32('boneLimit')
      const numMeshes = r.u32('numMeshes')
      const numRLE = r.u32('numRLE')
      if (numMeshes > 0) {
        const remap = r.take(numBones, 'meshBoneRemapIndices')
        r.count(numMeshes, 2, 'numMeshes')
        const rleCount = r.take(2 * numMeshes, 'meshBoneRLECount')
        r.count(numRLE, 2, 'numRLE')
        split = { boneLimit, numMeshes, numRLE, remap, rleCount, rle: r.take(2 * numRLE, 'meshBoneRLE') }
      } else split = { boneLimit, numMeshes, numRLE, remap: NOTHING, rleCount: NOTHING, rle: NOTHING }
    }
    return { layout, numBones, numUsed, maxWeights, pad, used, numVertices: nv, ...columns, split }
  },
  write(v, out) {
    out.u8(v.numBones)
    out.u8(v.numUsed)
    out.u8(v.maxWeights)
    out.u8(v.pad)
    out.raw(v.used)
    out.raw(v.indices)
    out.raw(v.weights)
    out.raw(v.bones)
    if (!v.split) return
    out.u32(v.split.boneLimit)
    out.u32(v.split.numMeshes)
    out.u32(v.split.numRLE)
    out.raw(v.split.remap)
    out.raw(v.split.rleCount)
    out.raw(v.split.rle)
  },
  fields(v, list) {
    list
      .add('numBones', 'u8', 1, v.numBones, { ...COUNTED, note: say(`codecs.skinLayout.${v.layout}`) })
      .add('numUsedBones', 'u8', 1, v.numUsed, COUNTED)
      .add('maxWeightsPerVertex', 'u8', 1, v.maxWeights)
      .add('padding', 'u8', 1, v.pad)
    if (v.used.length) list.add('bonesUsed', `u8 x ${v.used.length}`, v.used.length, Array.from(v.used))
    vertexFields(v, list)
    if (!v.split) return
    list
      .add('boneLimit', 'u32', 4, v.split.boneLimit, { note: say('codecs.boneLimit') })
      .add('numMeshes', 'u32', 4, v.split.numMeshes, COUNTED)
      .add('numRLE', 'u32', 4, v.split.numRLE, COUNTED)
    const disputed = { unknown: true, note: say('codecs.splitDisputed') }
    if (v.split.remap.length)
      list.add('meshBoneRemapIndices', `u8 x ${v.numBones}`, v.split.remap.length, Array.from(v.split.remap), disputed)
    if (v.split.rleCount.length)
      list.add('meshBoneRLECount', `u8[2] x ${v.split.numMeshes}`, v.split.rleCount.length, Array.from(v.split.rleCount), {
        ...disputed,
        note: say('codecs.rleOfRuns'),
      })
    if (v.split.rle.length)
      list.add('meshBoneRLE', `u8[2] x ${v.split.numRLE}`, v.split.rle.length, Array.from(v.split.rle), {
        ...disputed,
        note: say('codecs.rleOfBones'),
      })
  },
}

/** Skin on an atomic (about 3.1 to 3.3): its own counts, and the bone hierarchy in front of each matrix. No sample is known. */
export const legacySkin: LeafCodec<Skin> = {
  id: 'legacySkin',
  fixed: -1,
  read(r) {
    const numBones = r.u32('numBones')
    const nv = r.u32('numVertices')
    if (8 + 20 * nv + 76 * numBones > r.end - r.start)
      r.fail('bad-count', say('codecs.skinNeeds', { bones: numBones, vertices: nv, count: 20 * nv + 76 * numBones }), 'numBones', {
        offset: r.start,
      })
    return {
      layout: 'legacy',
      numBones,
      numUsed: 0,
      maxWeights: 0,
      pad: 0,
      used: NOTHING,
      numVertices: nv,
      ...readVertices(r, nv, numBones, 19),
      split: null,
    }
  },
  write(v, out) {
    out.u32(v.numBones)
    out.u32(v.numVertices)
    out.raw(v.indices)
    out.raw(v.weights)
    out.raw(v.bones)
  },
  fields(v, list) {
    list.add('numBones', 'i32', 4, v.numBones).add('numVertices', 'i32', 4, v.numVertices)
    vertexFields(v, list)
  },
}

function vertexFields(v: Skin, list: Parameters<LeafCodec<Skin>['fields']>[1]): void {
  if (v.indices.length)
    list.add('vertexBoneIndices', `u8[4] x ${v.numVertices}`, v.indices.length, Array.from(v.indices.subarray(0, 17)), {
      entries: { what: 'vertex' },
    })
  if (v.weights.length)
    list.add('vertexBoneWeights', `f32[4] x ${v.numVertices}`, v.weights.byteLength, v.weights, { entries: { what: 'vertex' } })
  const prefix = BONE_PREFIX[v.layout]
  for (let i = 0; i < v.numBones; i++) {
    const at = boneStride(v) * i
    list.group(`bones[${i}]`, say('codecs.nodes.bone'), (g) => {
      if (prefix === 1) g.add('deadWord', 'u32', 4, `0x${v.bones[at].toString(16)}`, { unknown: true, note: say('codecs.deadWord') })
      if (prefix === 3)
        g.add('id', 'i32', 4, v.bones[at] | 0)
          .add('index', 'i32', 4, v.bones[at + 1] | 0)
          .add('flags', 'i32', 4, v.bones[at + 2] | 0)
      g.add('skinToBoneMatrix', 'f32[4][4]', 64, boneMatrix(v, i), { note: say('codecs.matrixPadding') })
    })
  }
}

/** Consoles and drivers are called so in every language. */
type PlatformName = string
/** Platforms of native data. */
const PLATFORMS: Readonly<Record<number, PlatformName>> = {
  1: 'D3D8',
  2: 'OpenGL',
  4: 'PlayStation 2',
  5: 'Xbox',
  6: 'GameCube',
  8: 'D3D8',
  9: 'D3D9',
  10: 'PSP',
}

/** Skin or geometry of a console or a driver: a Struct chunk whose content is kept as it is. */
export interface NativeData {
  /** size field of the inner Struct; the content is all that follows */
  structSize: number
  structStamp: number
  platform: number
  data: Uint8Array
}

const NATIVE = record(
  {
    structType: named(
      'struct.type',
      constant32(1, () => say('codecs.nativeWithoutStruct')),
    ),
    structSize: named('struct.size', u32),
    structStamp: named('struct.stamp', flags32),
    platform: u32,
  },
  {
    notes: { platform: (platform: number) => PLATFORMS[platform] ?? say(platform === 0 ? 'codecs.noPlatform' : 'codecs.unknownPlatform') },
  },
)

function nativeCodec(
  id: ChunkText,
  header: (v: NativeData, list: Parameters<LeafCodec<NativeData>['fields']>[1]) => void,
): LeafCodec<NativeData> {
  return {
    id,
    fixed: -1,
    read(r) {
      return { ...NATIVE.read(r), data: r.rest() }
    },
    write(v, out) {
      NATIVE.write(out, v)
      out.opaque(v.data)
    },
    fields(v, list) {
      list.record(NATIVE, v)
      const at = list.at
      header(v, list)
      const done = list.at - at
      if (v.data.length > done)
        list.add('data', `u8[${v.data.length - done}]`, v.data.length - done, v.data.subarray(done), {
          unknown: true,
          note: say('codecs.platformData'),
        })
    },
  }
}

export const nativeSkin = nativeCodec('nativeSkin', (v, list) => {
  // the fields in front of the data, as far as public sources tell them
  if (v.platform === 4 || v.platform === 6 || v.platform === 10) {
    if (v.data.length >= 4)
      list
        .add('numBones', 'u8', 1, v.data[0])
        .add('numUsedBones', 'u8', 1, v.data[1])
        .add('maxWeightsPerVertex', 'u8', 1, v.data[2])
        .add('padding', 'u8', 1, v.data[3])
  } else if (v.data.length >= 4) {
    list.add('numBones', 'i32', 4, new DataView(v.data.buffer, v.data.byteOffset).getInt32(0, true))
  }
})

export const nativeGeometry = nativeCodec('nativeData', () => {})

// --- what the numbers in the header should say ---------------------------------------------------------------------

/** Bones with a weight above zero, ascending. */
export function weightedBones(skin: Skin): Uint8Array {
  const seen = new Uint8Array(256)
  const { indices, weights } = skin
  for (let i = 0; i < indices.length; i++) if (weights[i] > 0) seen[indices[i]] = 1
  const out: number[] = []
  for (let b = 0; b < 256; b++) if (seen[b]) out.push(b)
  return Uint8Array.from(out)
}

/** Most slots that any vertex needs: position of its last weight above zero, since the game reads the first ones. */
export function neededWeights(skin: Skin): number {
  const { weights } = skin
  let most = 0
  for (let i = 0; i < weights.length; i++) if (weights[i] > 0 && (i & 3) >= most) most = (i & 3) + 1
  return most
}

/** Sets the list of used bones to those that have weights. */
export function recomputeUsed(skin: Skin): void {
  if (skin.layout !== 'new') return
  skin.used = weightedBones(skin)
  skin.numUsed = skin.used.length
}

/** Sets the maximum of weights to what the vertices need. */
export function recomputeMaximum(skin: Skin): void {
  if (skin.layout === 'new') skin.maxWeights = Math.max(1, neededWeights(skin))
}
