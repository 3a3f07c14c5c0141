/** What a mesh looks like: vertex materials, shaders, textures, passes and their stages. Enumerations after the engine's headers. */
import { nameOf } from '../../../binary/reader.ts'
import { field } from '../../../binary/structure.ts'
import { ID } from './chunk-ids.ts'
import { containerOf, containersOf, dataOf } from './chunk.ts'
import { bytes, chars, counted, f32s, flags32, i32, record, shownAs, u16, u32, u8 } from '../../../binary/layout.ts'
import { bitsOf, choice, color, structural } from '../../../binary/field-use.ts'
import { colors, floats, records, struct, text, words } from './leaves.ts'
import { valueText, valuesText } from './value-names.ts'
import { say } from '../texts/index.ts'
import type { ContainerChunk, LeafCodec } from './chunk.ts'
import type { FieldType, RecordLayout, Records, Struct } from '../../../binary/layout.ts'
import type { ValueText } from '../texts/values.ts'

const infoFields = {
  passCount: structural(u32),
  vertexMaterialCount: structural(u32),
  shaderCount: structural(u32),
  textureCount: structural(u32),
}
export const MATERIAL_INFO = struct(ID.MATERIAL_INFO, infoFields)

const DEPTH_COMPARE = ['never', 'less', 'equal', 'lequal', 'greater', 'notequal', 'gequal', 'always'] as const
const DEST_BLEND = ['zero', 'one', 'srcColour', 'oneMinusSrcColour', 'srcAlpha', 'oneMinusSrcAlpha', 'srcColourPrefog'] as const
const SRC_BLEND = ['zero', 'one', 'srcAlpha', 'oneMinusSrcAlpha'] as const
const GRADIENT = ['disable', 'modulate', 'add', 'bumpEnv', 'bumpEnvLum', 'modulate2x'] as const
const DETAIL = [
  'disable',
  'detail',
  'scale',
  'invScale',
  'add',
  'sub',
  'subReverse',
  'blend',
  'detailBlend',
  'addSigned',
  'addSigned2x',
  'scale2x',
  'modulateAlphaAddColour',
] as const
const SWITCH = ['disable', 'enable'] as const
const ANIMATIONS = ['loop', 'pingPong', 'once', 'manual'] as const
const word = (names: readonly ValueText[]) => (v: number) => valueText(names, v)
const ignored = (): string => say('codecs.values.ignored')

/** 16 bytes each; fields marked as ignored are skipped by the engine. */
export const SHADERS = records(
  ID.SHADERS,
  {
    depthCompare: choice(u8, DEPTH_COMPARE),
    depthMask: choice(u8, SWITCH),
    colorMask: u8,
    destBlend: choice(u8, DEST_BLEND),
    fogFunc: u8,
    priGradient: choice(u8, GRADIENT),
    secGradient: choice(u8, SWITCH),
    srcBlend: choice(u8, SRC_BLEND),
    texturing: choice(u8, SWITCH),
    detailColorFunc: choice(u8, DETAIL),
    detailAlphaFunc: choice(u8, DETAIL),
    shaderPreset: u8,
    alphaTest: choice(u8, SWITCH),
    postDetailColorFunc: u8,
    postDetailAlphaFunc: u8,
    padding: u8,
  },
  'shader',
  {
    unknown: ['padding'],
    notes: {
      depthCompare: word(DEPTH_COMPARE),
      destBlend: word(DEST_BLEND),
      srcBlend: word(SRC_BLEND),
      priGradient: word(GRADIENT),
      detailColorFunc: word(DETAIL),
      detailAlphaFunc: word(DETAIL),
      colorMask: ignored,
      fogFunc: ignored,
      shaderPreset: ignored,
    },
  },
)

/** PlayStation 2's own shaders. */
const PS2_SHADERS = records(
  ID.PS2_SHADERS,
  {
    depthCompare: choice(u8, DEPTH_COMPARE),
    depthMask: choice(u8, SWITCH),
    priGradient: choice(u8, GRADIENT),
    texturing: choice(u8, SWITCH),
    alphaTest: choice(u8, SWITCH),
    aParam: u8,
    bParam: u8,
    cParam: u8,
    dParam: u8,
    padding: bytes(3),
  },
  'shader',
  { unknown: ['padding'], notes: { depthCompare: word(DEPTH_COMPARE), priGradient: word(GRADIENT) } },
)

const MAPPERS = [
  'uv',
  'environment',
  'cheapEnvironment',
  'screen',
  'linearOffset',
  'silhouette',
  'scale',
  'grid',
  'rotate',
  'sine',
  'step',
  'zigzag',
  'wsClassicEnvironment',
  'wsEnvironment',
  'gridClassicEnvironment',
  'gridEnvironment',
  'random',
  'edge',
  'bumpEnvironment',
  'gridWsClassicEnvironment',
  'gridWsEnvironment',
] as const

export const VERTEX_MATERIAL_NAME = text(ID.VERTEX_MATERIAL_NAME)
/** Colours are RGB and one byte of padding. */
const vertexMaterialFields = {
  attributes: bitsOf(flags32, { useDepthCue: 1, argbEmissiveOnly: 2, copySpecularToDiffuse: 4, depthCueToAlpha: 8 }, [
    { name: 'mapper1', at: 8, width: 8, values: MAPPERS },
    { name: 'mapper0', at: 16, width: 8, values: MAPPERS },
  ]),
  ambient: color(bytes(4), 'rgb-'),
  diffuse: color(bytes(4), 'rgb-'),
  specular: color(bytes(4), 'rgb-'),
  emissive: color(bytes(4), 'rgb-'),
  shininess: f32s(1),
  opacity: f32s(1),
  translucency: f32s(1),
}
export const VERTEX_MATERIAL_INFO = struct(ID.VERTEX_MATERIAL_INFO, vertexMaterialFields, {
  notes: {
    attributes: (v: number) =>
      say('codecs.mappers', {
        first: valuesText(MAPPERS[(v >>> 16) & 0xff] ?? 'unknownMapper'),
        second: valuesText(MAPPERS[(v >>> 8) & 0xff] ?? 'unknownMapper'),
      }),
  },
})
const VERTEX_MAPPER_ARGS0 = text(ID.VERTEX_MAPPER_ARGS0)
const VERTEX_MAPPER_ARGS1 = text(ID.VERTEX_MAPPER_ARGS1)

export const CLAMP_U = 8
export const CLAMP_V = 0x10
export const TEXTURE_NAME = text(ID.TEXTURE_NAME)
export const TEXTURE_INFO = struct(
  ID.TEXTURE_INFO,
  {
    attributes: bitsOf(u16, { publish: 1, noLod: 4, clampU: CLAMP_U, clampV: CLAMP_V, oneBitAlpha: 0x20 }),
    animType: choice(u16, ANIMATIONS),
    frameCount: u32,
    frameRate: f32s(1),
  },
  {
    notes: {
      animType: word(ANIMATIONS),
      attributes: (v: number) => valuesText(v & 8 && 'clampU', v & 0x10 && 'clampV', v & 4 && 'noLod', v & 0x20 && 'oneBitAlpha'),
    },
  },
)

export const VERTEX_MATERIAL_IDS = words(ID.VERTEX_MATERIAL_IDS, 1, () => say('codecs.onePerVertex'))
export const SHADER_IDS = words(ID.SHADER_IDS, 1, () => say('codecs.onePerTriangle'))
const DCG = colors(ID.DCG, 'alpha')
const DIG = colors(ID.DIG, 'padding')
const SCG = colors(ID.SCG, 'padding')
const SHADER_MATERIAL_ID = words(ID.SHADER_MATERIAL_ID)
export const TEXTURE_IDS = words(ID.TEXTURE_IDS, 1, () => say('codecs.onePerTriangleOrNone'))
/** v counts from the bottom of the picture; the engine turns it over when it loads. */
export const STAGE_TEXCOORDS = floats(ID.STAGE_TEXCOORDS, 2)
const PER_FACE_TEXCOORD_IDS = words(ID.PER_FACE_TEXCOORD_IDS, 3, () => say('codecs.skipped'))

const SHADER_MATERIAL_HEADER = struct(ID.SHADER_MATERIAL_HEADER, { version: u8, typeName: chars(32), technique: u32 })

export type ShaderPropertyValue =
  { type: 1; text: Uint8Array } | { type: 2 | 3 | 4 | 5; values: Float32Array } | { type: 6; value: number } | { type: 7; value: number }
export interface ShaderProperty {
  /** its bytes with the NUL, as many as the length before it says */
  name: Uint8Array
  value: ShaderPropertyValue
}

const PROPERTY_TYPES = ['', 'texture', 'f32', 'f32[2]', 'f32[3]', 'f32[4]', 'i32', 'u8']

const property = <T>(value: FieldType<T>): RecordLayout<{ type: typeof u32; name: typeof counted; value: FieldType<T> }> =>
  record({ type: structural(u32), name: counted, value }, { notes: { type: (type) => PROPERTY_TYPES[type as number] } })
const TEXTURE_PROPERTY = property({
  ...counted,
  rows: (text, at, name) => [field(name, PROPERTY_TYPES[1], at, 4 + text.length, nameOf(text), { use: { is: 'text', form: 'counted' } })],
})
const FLOAT_PROPERTIES = [1, 2, 3, 4].map((n) => property(shownAs(f32s(n), (values) => Array.from(values).join(', '))))
const WORD_PROPERTY = property(i32)
const BYTE_PROPERTY = property(u8)

const SHADER_MATERIAL_PROPERTY: LeafCodec<ShaderProperty> = {
  id: ID.SHADER_MATERIAL_PROPERTY,
  read(r) {
    const type = r.peekU32(r.position, 'type')
    if (type === 1) {
      const { name, value: text } = TEXTURE_PROPERTY.read(r)
      return { name, value: { type, text } }
    }
    if (type === 2 || type === 3 || type === 4 || type === 5) {
      const { name, value: values } = FLOAT_PROPERTIES[type - 2].read(r)
      return { name, value: { type, values } }
    }
    if (type === 6 || type === 7) {
      const { name, value } = (type === 6 ? WORD_PROPERTY : BYTE_PROPERTY).read(r)
      return { name, value: { type, value } }
    }
    return r.fail('bad-value', say('codecs.unknownProperty', { type }), 'type')
  },
  write({ name, value }, out) {
    const { type } = value
    if (type === 1) TEXTURE_PROPERTY.write(out, { type, name, value: value.text })
    else if (type === 6 || type === 7) (type === 6 ? WORD_PROPERTY : BYTE_PROPERTY).write(out, { type, name, value: value.value })
    else FLOAT_PROPERTIES[type - 2].write(out, { type, name, value: value.values })
  },
  describe({ name, value }, at) {
    const { type } = value
    const fields =
      type === 1
        ? TEXTURE_PROPERTY.describe({ type, name, value: value.text }, at)
        : type === 6 || type === 7
          ? (type === 6 ? WORD_PROPERTY : BYTE_PROPERTY).describe({ type, name, value: value.value }, at)
          : FLOAT_PROPERTIES[type - 2].describe({ type, name, value: value.values }, at)
    return { fields, children: [], summary: `${nameOf(name)} = ${fields[2].value}` }
  },
}

export const materialCodecs: readonly LeafCodec[] = [
  MATERIAL_INFO,
  SHADERS,
  PS2_SHADERS,
  VERTEX_MATERIAL_NAME,
  VERTEX_MATERIAL_INFO,
  VERTEX_MAPPER_ARGS0,
  VERTEX_MAPPER_ARGS1,
  TEXTURE_NAME,
  TEXTURE_INFO,
  VERTEX_MATERIAL_IDS,
  SHADER_IDS,
  DCG,
  DIG,
  SCG,
  SHADER_MATERIAL_ID,
  TEXTURE_IDS,
  STAGE_TEXCOORDS,
  PER_FACE_TEXCOORD_IDS,
  SHADER_MATERIAL_HEADER,
  SHADER_MATERIAL_PROPERTY,
]

// --- views ----------------------------------------------------------------------------------------------------

export interface VertexMaterial {
  chunk: ContainerChunk
  name: string
  info: Struct<typeof vertexMaterialFields> | undefined
  args: [string, string]
}

export interface TextureUse {
  chunk: ContainerChunk
  name: string
  attributes: number
}

export interface Stage {
  textureIds: Uint32Array
  texcoords: Float32Array
}

export interface Pass {
  chunk: ContainerChunk
  vertexMaterialIds: Uint32Array
  shaderIds: Uint32Array
  shaderMaterialIds: Uint32Array
  colors: Uint8Array
  stages: Stage[]
  /** texture coordinates right below the pass, as passes with shader materials have them */
  texcoords: Float32Array
}

export interface ShaderMaterial {
  chunk: ContainerChunk
  typeName: string
  textures: Map<string, string>
  numbers: Map<string, readonly number[]>
}

export interface MaterialSet {
  vertexMaterials: VertexMaterial[]
  shaders: Records | undefined
  textures: TextureUse[]
  passes: Pass[]
  shaderMaterials: ShaderMaterial[]
  info: Struct<typeof infoFields> | undefined
}

const NO_WORDS = new Uint32Array(0)
const NO_FLOATS = new Float32Array(0)

/** The materials that stand in a mesh, or in one of its prelit wrappers. */
export function materialsIn(parent: ContainerChunk): MaterialSet {
  return {
    info: dataOf(parent, MATERIAL_INFO),
    shaders: dataOf(parent, SHADERS),
    vertexMaterials: containersOf(containerOf(parent, ID.VERTEX_MATERIALS), ID.VERTEX_MATERIAL).map((chunk) => ({
      chunk,
      name: textOf(dataOf(chunk, VERTEX_MATERIAL_NAME)),
      info: dataOf(chunk, VERTEX_MATERIAL_INFO),
      args: [textOf(dataOf(chunk, VERTEX_MAPPER_ARGS0)), textOf(dataOf(chunk, VERTEX_MAPPER_ARGS1))],
    })),
    textures: containersOf(containerOf(parent, ID.TEXTURES), ID.TEXTURE).map((chunk) => ({
      chunk,
      name: textOf(dataOf(chunk, TEXTURE_NAME)),
      attributes: dataOf(chunk, TEXTURE_INFO)?.attributes ?? 0,
    })),
    passes: containersOf(parent, ID.MATERIAL_PASS).map((chunk) => ({
      chunk,
      vertexMaterialIds: dataOf(chunk, VERTEX_MATERIAL_IDS) ?? NO_WORDS,
      shaderIds: dataOf(chunk, SHADER_IDS) ?? NO_WORDS,
      shaderMaterialIds: dataOf(chunk, SHADER_MATERIAL_ID) ?? NO_WORDS,
      colors: dataOf(chunk, DCG) ?? new Uint8Array(0),
      texcoords: dataOf(chunk, STAGE_TEXCOORDS) ?? NO_FLOATS,
      stages: containersOf(chunk, ID.TEXTURE_STAGE).map((stage) => ({
        textureIds: dataOf(stage, TEXTURE_IDS) ?? NO_WORDS,
        texcoords: dataOf(stage, STAGE_TEXCOORDS) ?? NO_FLOATS,
      })),
    })),
    shaderMaterials: containersOf(containerOf(parent, ID.SHADER_MATERIALS), ID.SHADER_MATERIAL).map(shaderMaterialOf),
  }
}

function shaderMaterialOf(chunk: ContainerChunk): ShaderMaterial {
  const textures = new Map<string, string>()
  const numbers = new Map<string, readonly number[]>()
  for (const child of chunk.children) {
    if (child.kind !== 'typed' || child.codec !== SHADER_MATERIAL_PROPERTY) continue
    const { name, value } = child.data as ShaderProperty
    if (value.type === 1) textures.set(nameOf(name).toLowerCase(), nameOf(value.text))
    else numbers.set(nameOf(name).toLowerCase(), 'values' in value ? Array.from(value.values) : [value.value])
  }
  const header = dataOf(chunk, SHADER_MATERIAL_HEADER)
  return { chunk, typeName: header ? nameOf(header.typeName) : '', textures, numbers }
}

function textOf(raw: Uint8Array | undefined): string {
  return raw ? nameOf(raw) : ''
}

/** File names of all textures that a mesh refers to, with the chunk that says so. */
export function textureNamesIn(mesh: ContainerChunk): { name: string; chunk: ContainerChunk }[] {
  const out: { name: string; chunk: ContainerChunk }[] = []
  for (const parent of [mesh, ...PRELIT.flatMap((id) => containersOf(mesh, id))]) {
    const set = materialsIn(parent)
    for (const texture of set.textures) if (texture.name) out.push({ name: texture.name, chunk: texture.chunk })
    for (const material of set.shaderMaterials)
      for (const name of material.textures.values()) if (name) out.push({ name, chunk: material.chunk })
  }
  return out
}

/** Wrappers of whole material sets, in the order in which a viewer should prefer them. */
export const PRELIT = [ID.PRELIT_LIGHTMAP_MULTI_TEXTURE, ID.PRELIT_LIGHTMAP_MULTI_PASS, ID.PRELIT_VERTEX, ID.PRELIT_UNLIT] as const

/** Values of mapper arguments text: lines of `Name=number`. */
export function mapperArgs(args: string): Map<string, number> {
  const out = new Map<string, number>()
  for (const line of args.split(/[\r\n]+/)) {
    const [key, value] = line.split('=')
    const number = Number.parseFloat(value ?? '')
    if (key && Number.isFinite(number)) out.set(key.trim().toLowerCase(), number)
  }
  return out
}
