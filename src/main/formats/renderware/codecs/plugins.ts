/** Plugins with a few fields: Rockstar's materials, night colours, 2d effects, breakables, user data and single words. */
import { bytes, chars, f32s, flags32, i16, i32, named, record, u16, u32, u8 } from '../../../binary/layout.ts'
import { bitsOf, choice, color, structural } from '../../../binary/field-use.ts'
import { Reader, nameOf } from '../../../binary/reader.ts'
import { floatBitRuns, floatBits, struct } from './struct.ts'
import { floatsOf } from './words.ts'
import { say } from '../texts/index.ts'
import type { Fields, RecordLayout, ValueOf } from '../../../binary/layout.ts'
import type { ChunkText } from '../texts/chunks.ts'
import type { EffectText } from '../texts/codecs.ts'
import type { LeafCodec } from './chunk.ts'

/** One 32-bit word. */
export interface WordValue {
  value: number
}

const leftOver = (): string => say('codecs.leftOverPointer')

function word(id: ChunkText, name: string): LeafCodec<WordValue> {
  return struct(id, { value: named(name, u32) })
}

export const pipelineSet = word('pipelineSet', 'pipeline')
export const atomicMatFx = word('atomicMatFx', 'enabled')
export const particles = word('particles', 'flags')
export const anisotropy = word('anisotropy', 'maxAnisotropy')
export const skyMipmap = word('skyMipmap', 'kl')
export const morphPlg = word('morphPlg', 'interpolator')

/** 28 bytes */
export const specular = struct('specular', { level: floatBits(1), name: chars(24) })

/** 24 bytes */
export const reflection = struct(
  'reflection',
  { values: floatBitRuns({ scale: { count: 2 }, offset: { count: 2 }, intensity: { count: 1 } }), texture: flags32 },
  { unknown: ['texture'], notes: { texture: leftOver } },
)

/** u32 flag; where it is not zero RGBA per vertex */
export const nightColours: LeafCodec<{ flag: number; colors: Uint8Array }> = {
  id: 'nightColours',
  fixed: -1,
  read(r, scope) {
    const flag = r.u32('flag')
    if (flag === 0 || !scope.geometry) return { flag, colors: new Uint8Array(0) }
    r.count(scope.geometry.numVertices, 4, 'colors')
    return { flag, colors: r.take(4 * scope.geometry.numVertices, 'colors') }
  },
  write(v, out) {
    out.u32(v.flag)
    out.raw(v.colors)
  },
  fields(v, list) {
    list.add('flag', 'u32', 4, v.flag)
    if (v.colors.length) list.add('colors', `u8[4] x ${v.colors.length / 4}`, v.colors.length, v.colors)
  },
}

export interface Effect2d {
  /** 3 floats */
  position: Float32Array
  type: number
  size: number
  data: Uint8Array
}

/** How a corona shows itself, in the order of its numbers [gtamods wiki] */
const SHOW_MODES = [
  'always',
  'randomFlashing',
  'randomFlashingWhenWet',
  'speed4',
  'speed2',
  'speed1',
  '',
  'trafficLight',
  'trainCrossing',
  '',
  'inRain',
  'on5off5',
  'on6off4',
  'on6off4Late',
] as const

/** Hours at which a light of a 2d effect shines; without one of them it never does. */
export const AT_DAY = 0x20
export const AT_NIGHT = 0x40

const LIGHT = {
  color: color(bytes(4)),
  coronaFarClip: f32s(1),
  pointlightRange: f32s(1),
  coronaSize: f32s(1),
  shadowSize: f32s(1),
  coronaShowMode: choice(u8, SHOW_MODES),
  coronaEnableReflection: u8,
  coronaFlareType: u8,
  shadowColorMultiplier: u8,
  flags1: bitsOf(u8, { checkObstacles: 1, withoutCorona: 8, onlyFarAway: 0x10, atDay: AT_DAY, atNight: AT_NIGHT, blinking1: 0x80 }, [
    { name: 'fogType', at: 1, width: 2 },
  ]),
  coronaTexName: chars(24),
  shadowTexName: chars(24),
  shadowZDistance: u8,
  flags2: bitsOf(u8, { onlyFromBelow: 1, blinking2: 2, updateHeight: 4, checkDirection: 8, blinking3: 0x10 }),
}

const form = <F extends Fields>(fields: F): RecordLayout<any> =>
  record<Fields>(fields, { unknown: Object.keys(fields).filter((name) => name === 'unknown' || name === 'padding') })

/** What stands in an effect's data, by its type [gtamods wiki; lights of 80 bytes verified]; the first form whose size is the data's is taken. */
const EFFECTS: Readonly<Record<number, { name: EffectText; forms: readonly RecordLayout<any>[] }>> = {
  0: {
    name: 'light',
    forms: [form({ ...LIGHT, padding: u8 }), form({ ...LIGHT, lookDirection: { ...bytes(3), type: 'i8[3]' }, padding: bytes(2) })],
  },
  1: { name: 'particle', forms: [form({ effectName: chars(24) })] },
  3: {
    name: 'pedAttractor',
    forms: [
      form({
        attractorType: i32,
        queueDirection: f32s(3),
        useDirection: f32s(3),
        forwardDirection: f32s(3),
        scriptName: chars(8),
        pedExistingProbability: i32,
        unknown: bytes(4),
      }),
    ],
  },
  4: { name: 'sunGlare', forms: [form({})] },
  6: {
    name: 'enterAndExit',
    forms: [
      form({
        enterAngle: f32s(1),
        radius: f32s(2),
        exitPosition: f32s(3),
        exitAngle: f32s(1),
        interior: i16,
        flags1: u8,
        skyColor: u8,
        interiorName: chars(8),
        timeOn: u8,
        timeOff: u8,
        flags2: u8,
        unknown: u8,
      }),
    ],
  },
  7: {
    name: 'roadSign',
    forms: [form({ signSize: f32s(2), rotation: f32s(3), flags: u16, text: chars(64), padding: bytes(2) })],
  },
  8: { name: 'triggerPoint', forms: [form({ index: i32 })] },
  9: { name: 'coverPoint', forms: [form({ direction: f32s(2), usage: i32 })] },
  10: { name: 'escalator', forms: [form({ bottom: f32s(3), top: f32s(3), end: f32s(3), direction: u32 })] },
}

/** An effect up to its data. */
const EFFECT = record(
  { position: f32s(3), type: structural(u32), size: structural(u32) },
  { notes: { type: (type: number) => say(`codecs.effects.${EFFECTS[type]?.name ?? 'unknown'}`) } },
)

function effectForm({ type, size }: Effect2d): RecordLayout<any> | undefined {
  return EFFECTS[type]?.forms.find((layout) => layout.size === size)
}

/** What an effect's data says; undefined for a type or size that nobody knows. */
export function effectValues(effect: Effect2d): Record<string, unknown> | undefined {
  return effectForm(effect)?.read(new Reader(effect.data, '')) as Record<string, unknown> | undefined
}

export const effect2d: LeafCodec<Effect2d[]> = {
  id: 'effect2d',
  fixed: -1,
  read(r) {
    const count = r.count(r.i32('count'), EFFECT.size, 'count')
    return r.each('effects', count, (): Effect2d => {
      const effect = EFFECT.read(r)
      return { ...effect, data: r.take(effect.size, 'data') }
    })
  },
  write(v, out) {
    out.i32(v.length)
    for (const e of v) {
      EFFECT.write(out, e)
      if (effectForm(e)) out.raw(e.data)
      else out.opaque(e.data)
    }
  },
  fields(v, list) {
    list.add('count', 'i32', 4, v.length, { use: { is: 'structure' } })
    v.forEach((e, i) =>
      list.group(`effects[${i}]`, say(`codecs.effects.${EFFECTS[e.type]?.name ?? 'other'}`), (g) => {
        g.record(EFFECT, e)
        const layout = effectForm(e)
        if (layout) g.record(layout, layout.read(new Reader(e.data, '')))
        else g.leftover('data', e.data)
      }),
    )
  },
}

const BREAKABLE_HEAD = record(
  {
    word: u32,
    numVertices: structural(u16),
    padding1: u16,
    pointers1: { ...bytes(12), type: 'u32[3]' },
    numTriangles: structural(u16),
    padding2: u16,
    pointers2: { ...bytes(8), type: 'u32[2]' },
    numMaterials: structural(u16),
    padding3: u16,
    pointers3: { ...bytes(16), type: 'u32[4]' },
  },
  {
    unknown: ['word', 'padding1', 'pointers1', 'padding2', 'pointers2', 'padding3', 'pointers3'],
    notes: { pointers1: leftOver, pointers2: leftOver, pointers3: leftOver },
  },
)

/** Breakable: a word alone where the object does not break, else a small mesh of its pieces. */
export interface Breakable {
  magic: number
  mesh?: ValueOf<typeof BREAKABLE_HEAD> & {
    positions: Float32Array
    uvs: Float32Array
    colors: Uint8Array
    triangles: Uint16Array
    materialOfTriangle: Uint16Array
    /** 32 bytes each */
    textures: Uint8Array
    masks: Uint8Array
    ambient: Float32Array
  }
}

export const breakable: LeafCodec<Breakable> = {
  id: 'breakable',
  fixed: -1,
  read(r) {
    const magic = r.u32('magic')
    if (magic === 0 && r.remaining === 0) return { magic }
    const head = BREAKABLE_HEAD.read(r)
    const { numVertices: nv, numTriangles: nt, numMaterials: nm } = head
    if (r.remaining !== 24 * nv + 8 * nt + 76 * nm) {
      r.fail(
        'bad-count',
        say('codecs.breakableNeeds', { vertices: nv, triangles: nt, materials: nm, count: 24 * nv + 8 * nt + 76 * nm, left: r.remaining }),
        'numVertices',
        { offset: r.start + 4 + BREAKABLE_HEAD.at.numVertices },
      )
    }
    return {
      magic,
      mesh: {
        ...head,
        positions: r.f32s(3 * nv, 'positions'),
        uvs: r.f32s(2 * nv, 'uvs'),
        colors: r.take(4 * nv, 'colors'),
        triangles: r.u16s(3 * nt, 'triangles'),
        materialOfTriangle: r.u16s(nt, 'materialOfTriangle'),
        textures: r.take(32 * nm, 'textures'),
        masks: r.take(32 * nm, 'masks'),
        ambient: r.f32s(3 * nm, 'ambient'),
      },
    }
  },
  write(v, out) {
    out.u32(v.magic)
    const m = v.mesh
    if (!m) return
    BREAKABLE_HEAD.write(out, m)
    for (const column of [m.positions, m.uvs, m.colors, m.triangles, m.materialOfTriangle, m.textures, m.masks, m.ambient]) out.raw(column)
  },
  fields(v, list) {
    list.add('magic', 'u32', 4, v.magic, v.mesh ? {} : { note: say('codecs.doesNotBreak') })
    const m = v.mesh
    if (!m) return
    list.record(BREAKABLE_HEAD, m)
    const column = (name: string, type: string, data: ArrayBufferView): void => {
      if (data.byteLength) list.add(name, type, data.byteLength, data)
    }
    column('positions', `f32[3] x ${m.numVertices}`, m.positions)
    column('uvs', `f32[2] x ${m.numVertices}`, m.uvs)
    column('colors', `u8[4] x ${m.numVertices}`, m.colors)
    column('triangles', `u16[3] x ${m.numTriangles}`, m.triangles)
    column('materialOfTriangle', `u16 x ${m.numTriangles}`, m.materialOfTriangle)
    column('textures', `char[32] x ${m.numMaterials}`, m.textures)
    column('masks', `char[32] x ${m.numMaterials}`, m.masks)
    column('ambient', `f32[3] x ${m.numMaterials}`, m.ambient)
  },
}

export interface UserDataArray {
  name: Uint8Array
  /** 1 int, 2 float, 3 string */
  type: number
  count: number
  /** words for int and float */
  words: Uint32Array
  strings: Uint8Array[]
}

export const userData: LeafCodec<UserDataArray[]> = {
  id: 'userData',
  fixed: -1,
  read(r) {
    const n = r.count(r.i32('numArrays'), 12, 'numArrays')
    const arrays: UserDataArray[] = []
    for (let i = 0; i < n; i++) {
      const name = r.take(r.i32(`arrays[${i}].nameLength`), `arrays[${i}].name`)
      const type = r.u32(`arrays[${i}].type`)
      const count = r.count(r.i32(`arrays[${i}].count`), 4, `arrays[${i}].count`)
      const strings: Uint8Array[] = []
      let words: Uint32Array = new Uint32Array(0)
      if (type === 1 || type === 2) words = r.u32s(count, `arrays[${i}].data`)
      else if (type === 3)
        for (let k = 0; k < count; k++) strings.push(r.take(r.i32(`arrays[${i}].data[${k}].length`), `arrays[${i}].data[${k}]`))
      else if (count > 0) r.fail('bad-value', say('codecs.unknownUserData', { type }), `arrays[${i}].type`)
      arrays.push({ name, type, count, words, strings })
    }
    return arrays
  },
  write(v, out) {
    out.i32(v.length)
    for (const a of v) {
      out.i32(a.name.length)
      out.raw(a.name)
      out.u32(a.type)
      out.i32(a.count)
      out.raw(a.words)
      for (const s of a.strings) {
        out.i32(s.length)
        out.raw(s)
      }
    }
  },
  fields(v, list) {
    list.add('numArrays', 'i32', 4, v.length)
    v.forEach((a, i) =>
      list.group(`arrays[${i}]`, say('codecs.nodes.userDataArray'), (g) => {
        g.add('nameLength', 'i32', 4, a.name.length)
        if (a.name.length) g.add('name', `char[${a.name.length}]`, a.name.length, nameOf(a.name))
        g.add('type', 'u32', 4, a.type).add('count', 'i32', 4, a.count)
        if (a.words.length)
          g.add(
            'data',
            a.type === 2 ? `f32 x ${a.count}` : `i32 x ${a.count}`,
            a.words.byteLength,
            a.type === 2 ? floatsOf(a.words) : new Int32Array(a.words),
          )
        a.strings.forEach((s, k) =>
          g.add(`data[${k}]`, `char[${s.length}]`, 4 + s.length, nameOf(s), { use: { is: 'text', form: 'counted' } }),
        )
      }),
    )
  },
}

const UV_ANIM = record({ structHeader: named('struct', { ...bytes(12), type: 'u32[3]' }), mask: u32 })

/** Names of UV animations on a material: a mask of channels, and 32 bytes for each bit set. */
export const uvAnimPlg: LeafCodec<ValueOf<typeof UV_ANIM> & { names: Uint8Array }> = {
  id: 'uvAnimPlg',
  fixed: -1,
  read(r) {
    const head = UV_ANIM.read(r)
    let channels = 0
    for (let i = 0; i < 8; i++) if (head.mask & (1 << i)) channels++
    return { ...head, names: r.take(32 * channels, 'names') }
  },
  write(v, out) {
    UV_ANIM.write(out, v)
    out.raw(v.names)
  },
  fields(v, list) {
    list.record(UV_ANIM, v)
    for (let i = 0; i < v.names.length / 32; i++) list.add(`names[${i}]`, 'char[32]', 32, nameOf(v.names.subarray(32 * i, 32 * i + 32)))
  },
}
