/** Plugins with a few fields: Rockstar's materials, night colours, 2d effects, breakables, user data and single words. */
import { nameOf } from '../../../binary/reader.ts'
import { floatsOf, smallWords } from './words.ts'
import type { LeafCodec } from './chunk.ts'
import type { FieldList } from './field-list.ts'

/** One 32-bit word. */
export interface WordValue {
  value: number
}

function word(id: string, label: string, name: string, note?: string): LeafCodec<WordValue> {
  return {
    id,
    label,
    fixed: 4,
    read: (r) => ({ value: r.u32(name) }),
    write: (v, out) => out.u32(v.value),
    fields: (v, list) => void list.add(name, 'u32', 4, v.value, note ? { note } : {}),
  }
}

export const pipelineSet = word('pipelineSet', 'Pipeline set', 'pipeline')
export const atomicMatFx = word('atomicMatFx', 'MatFX on the atomic', 'enabled')
export const particles = word('particles', 'Particles PLG', 'flags')
export const anisotropy = word('anisotropy', 'Anisotropy', 'maxAnisotropy')
export const skyMipmap = word('skyMipmap', 'Sky mipmap', 'kl')
export const morphPlg = word('morphPlg', 'Morph PLG', 'interpolator')

/** 28 bytes */
export const specular: LeafCodec<{ level: Uint32Array; name: Uint8Array }> = {
  id: 'specular',
  label: 'Specular material',
  fixed: 28,
  read: (r) => ({ level: smallWords(r, 1), name: r.take(24) }),
  write(v, out) {
    out.raw(v.level)
    out.raw(v.name)
  },
  fields: (v, list) => void list.add('level', 'f32', 4, floatsOf(v.level)[0]).add('name', 'char[24]', 24, nameOf(v.name)),
}

/** 24 bytes */
export const reflection: LeafCodec<{ values: Uint32Array; texture: number }> = {
  id: 'reflection',
  label: 'Reflection material',
  fixed: 24,
  read: (r) => ({ values: smallWords(r, 5), texture: r.u32() }),
  write(v, out) {
    out.raw(v.values)
    out.u32(v.texture)
  },
  fields(v, list) {
    const floats = floatsOf(v.values)
    list
      .add('scale', 'f32[2]', 8, floats.subarray(0, 2))
      .add('offset', 'f32[2]', 8, floats.subarray(2, 4))
      .add('intensity', 'f32', 4, floats[4])
    list.add('texture', 'u32', 4, `0x${v.texture.toString(16)}`, { unknown: true, note: 'a left-over pointer' })
  },
}

/** u32 flag; where it is not zero RGBA per vertex */
export const nightColours: LeafCodec<{ flag: number; colors: Uint8Array }> = {
  id: 'nightColours',
  label: 'Night colours',
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

type EffectField = readonly [name: string, type: 'f32' | 'i32' | 'u32' | 'u16' | 'i16' | 'u8' | 'i8' | 'char', count?: number]

const LIGHT: readonly EffectField[] = [
  ['color', 'u8', 4],
  ['coronaFarClip', 'f32'],
  ['pointlightRange', 'f32'],
  ['coronaSize', 'f32'],
  ['shadowSize', 'f32'],
  ['coronaShowMode', 'u8'],
  ['coronaEnableReflection', 'u8'],
  ['coronaFlareType', 'u8'],
  ['shadowColorMultiplier', 'u8'],
  ['flags1', 'u8'],
  ['coronaTexName', 'char', 24],
  ['shadowTexName', 'char', 24],
  ['shadowZDistance', 'u8'],
  ['flags2', 'u8'],
]

/** What stands in an effect's data, by its type [gtamods wiki; lights of 80 bytes verified]; the first list whose size is the data's is taken. */
const EFFECTS: Readonly<Record<number, { name: string; forms: readonly (readonly EffectField[])[] }>> = {
  0: {
    name: 'light',
    forms: [
      [...LIGHT, ['padding', 'u8']],
      [...LIGHT, ['lookDirection', 'i8', 3], ['padding', 'u8', 2]],
    ],
  },
  1: { name: 'particle', forms: [[['effectName', 'char', 24]]] },
  3: {
    name: 'ped attractor',
    forms: [
      [
        ['attractorType', 'i32'],
        ['queueDirection', 'f32', 3],
        ['useDirection', 'f32', 3],
        ['forwardDirection', 'f32', 3],
        ['scriptName', 'char', 8],
        ['pedExistingProbability', 'i32'],
        ['unknown', 'u8', 4],
      ],
    ],
  },
  4: { name: 'sun glare', forms: [[]] },
  6: {
    name: 'enter and exit',
    forms: [
      [
        ['enterAngle', 'f32'],
        ['radius', 'f32', 2],
        ['exitPosition', 'f32', 3],
        ['exitAngle', 'f32'],
        ['interior', 'i16'],
        ['flags1', 'u8'],
        ['skyColor', 'u8'],
        ['interiorName', 'char', 8],
        ['timeOn', 'u8'],
        ['timeOff', 'u8'],
        ['flags2', 'u8'],
        ['unknown', 'u8'],
      ],
    ],
  },
  7: {
    name: 'road sign',
    forms: [
      [
        ['signSize', 'f32', 2],
        ['rotation', 'f32', 3],
        ['flags', 'u16'],
        ['text', 'char', 64],
        ['padding', 'u8', 2],
      ],
    ],
  },
  8: { name: 'trigger point', forms: [[['index', 'i32']]] },
  9: {
    name: 'cover point',
    forms: [
      [
        ['direction', 'f32', 2],
        ['usage', 'i32'],
      ],
    ],
  },
  10: {
    name: 'escalator',
    forms: [
      [
        ['bottom', 'f32', 3],
        ['top', 'f32', 3],
        ['end', 'f32', 3],
        ['direction', 'u32'],
      ],
    ],
  },
}

const FIELD_BYTES = { f32: 4, i32: 4, u32: 4, u16: 2, i16: 2, u8: 1, i8: 1, char: 1 } as const

function effectForm({ type, size }: Effect2d): readonly EffectField[] | undefined {
  return EFFECTS[type]?.forms.find((form) => form.reduce((sum, [, kind, count]) => sum + FIELD_BYTES[kind] * (count ?? 1), 0) === size)
}

function effectFields(e: Effect2d, form: readonly EffectField[], g: FieldList): void {
  const view = new DataView(e.data.buffer, e.data.byteOffset, e.data.length)
  let at = 0
  for (const [name, kind, count] of form) {
    const n = count ?? 1
    const bytes = e.data.subarray(at, at + n * FIELD_BYTES[kind])
    const unknown = name === 'unknown' || name === 'padding' ? { unknown: true } : {}
    if (kind === 'char') g.add(name, `char[${n}]`, n, nameOf(bytes))
    else if (kind === 'f32')
      g.add(
        name,
        n > 1 ? `f32[${n}]` : 'f32',
        4 * n,
        n > 1 ? Float32Array.from({ length: n }, (_, i) => view.getFloat32(at + 4 * i, true)) : view.getFloat32(at, true),
      )
    else if (n > 1) g.add(name, `${kind}[${n}]`, n, bytes, unknown)
    else
      g.add(
        name,
        kind,
        FIELD_BYTES[kind],
        {
          i32: () => view.getInt32(at, true),
          u32: () => view.getUint32(at, true),
          u16: () => view.getUint16(at, true),
          i16: () => view.getInt16(at, true),
          u8: () => view.getUint8(at),
          i8: () => view.getInt8(at),
        }[kind](),
        unknown,
      )
    at += n * FIELD_BYTES[kind]
  }
}

export const effect2d: LeafCodec<Effect2d[]> = {
  id: 'effect2d',
  label: '2d effects',
  fixed: -1,
  read(r) {
    const count = r.count(r.i32('count'), 20, 'count')
    const list: Effect2d[] = []
    for (let i = 0; i < count; i++) {
      const position = r.f32s(3, `effects[${i}].position`)
      const type = r.u32(`effects[${i}].type`)
      const size = r.u32(`effects[${i}].size`)
      list.push({ position, type, size, data: r.take(size, `effects[${i}].data`) })
    }
    return list
  },
  write(v, out) {
    out.i32(v.length)
    for (const e of v) {
      out.raw(e.position)
      out.u32(e.type)
      out.u32(e.size)
      if (effectForm(e)) out.raw(e.data)
      else out.opaque(e.data)
    }
  },
  fields(v, list) {
    list.add('count', 'i32', 4, v.length)
    v.forEach((e, i) =>
      list.group(`effects[${i}]`, EFFECTS[e.type]?.name ?? 'effect', (g) => {
        g.add('position', 'f32[3]', 12, e.position)
          .add('type', 'u32', 4, e.type, { note: EFFECTS[e.type]?.name ?? 'unknown' })
          .add('size', 'u32', 4, e.size)
        const form = effectForm(e)
        if (form) effectFields(e, form, g)
        else if (e.data.length) g.add('data', `u8[${e.data.length}]`, e.data.length, e.data, { unknown: true })
      }),
    )
  },
}

/** Breakable: a word alone where the object does not break, else a small mesh of its pieces. */
export interface Breakable {
  magic: number
  mesh?: {
    /** 52 bytes of counts and left-over pointers, as u16 pairs and words; counts are numVertices at 4, numTriangles at 20, numMaterials at 32 */
    header: Uint8Array
    numVertices: number
    numTriangles: number
    numMaterials: number
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
  label: 'Breakable',
  fixed: -1,
  read(r) {
    const magic = r.u32('magic')
    if (magic === 0 && r.remaining === 0) return { magic }
    const header = r.take(52, 'header')
    const view = new DataView(header.buffer)
    const nv = view.getUint16(4, true)
    const nt = view.getUint16(20, true)
    const nm = view.getUint16(32, true)
    if (r.remaining !== 24 * nv + 8 * nt + 76 * nm) {
      r.fail(
        'bad-count',
        `${nv} vertices, ${nt} triangles and ${nm} materials need ${24 * nv + 8 * nt + 76 * nm} bytes, ${r.remaining} are left`,
        'numVertices',
        { offset: r.start + 8 },
      )
    }
    return {
      magic,
      mesh: {
        header,
        numVertices: nv,
        numTriangles: nt,
        numMaterials: nm,
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
    for (const column of [m.header, m.positions, m.uvs, m.colors, m.triangles, m.materialOfTriangle, m.textures, m.masks, m.ambient])
      out.raw(column)
  },
  fields(v, list) {
    list.add('magic', 'u32', 4, v.magic, v.mesh ? {} : { note: 'does not break' })
    const m = v.mesh
    if (!m) return
    list.add('header', 'u8[52]', 52, m.header, {
      note: `${m.numVertices} vertices, ${m.numTriangles} triangles, ${m.numMaterials} materials; the rest are left-over pointers`,
    })
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
  label: 'User data',
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
      else if (count > 0) r.fail('bad-value', `user data of unknown type ${type}`, `arrays[${i}].type`)
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
      list.group(`arrays[${i}]`, 'User data array', (g) => {
        g.add('nameLength', 'i32', 4, a.name.length)
        if (a.name.length) g.add('name', `char[${a.name.length}]`, a.name.length, nameOf(a.name))
        g.add('type', 'u32', 4, a.type).add('count', 'i32', 4, a.count)
        if (a.words.length)
          g.add(
            'data',
            a.type === 2 ? `f32 x ${a.count}` : `i32 x ${a.count}`,
            a.words.byteLength,
            a.type === 2 ? new Float32Array(a.words.buffer) : new Int32Array(a.words.buffer),
          )
        a.strings.forEach((s, k) => g.add(`data[${k}]`, `char[${s.length}]`, 4 + s.length, nameOf(s)))
      }),
    )
  },
}

/** Names of UV animations on a material: a mask of channels, and 32 bytes for each bit set. */
export const uvAnimPlg: LeafCodec<{ structHeader: Uint8Array; mask: number; names: Uint8Array }> = {
  id: 'uvAnimPlg',
  label: 'UV animation PLG',
  fixed: -1,
  read(r) {
    const structHeader = r.take(12, 'struct')
    const mask = r.u32('mask')
    let channels = 0
    for (let i = 0; i < 8; i++) if (mask & (1 << i)) channels++
    return { structHeader, mask, names: r.take(32 * channels, 'names') }
  },
  write(v, out) {
    out.raw(v.structHeader)
    out.u32(v.mask)
    out.raw(v.names)
  },
  fields(v, list) {
    list.add('struct', 'u32[3]', 12, v.structHeader).add('mask', 'u32', 4, v.mask)
    for (let i = 0; i < v.names.length / 32; i++) list.add(`names[${i}]`, 'char[32]', 32, nameOf(v.names.subarray(32 * i, 32 * i + 32)))
  },
}
