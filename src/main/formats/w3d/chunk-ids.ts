/**
 * Every chunk id that the engine's headers name: what it is called and whether its payload is chunks.
 * The size word's bit 31 says the same, but files from before September 1999 have it clear everywhere [V], so the id decides.
 */
export interface ChunkInfo {
  id: number
  /** the engine's name without its prefix */
  name: string
  /** name as part of a field path */
  key: string
  container: boolean
  /** usually several beside each other: always numbered in paths */
  many: boolean
}

const table = new Map<number, ChunkInfo>()

function camel(name: string): string {
  return name.toLowerCase().replace(/_([a-z0-9])/g, (_, c: string) => c.toUpperCase())
}

function leaf(id: number, name: string, many = false, key = camel(name)): number {
  table.set(id, { id, name, key, container: false, many })
  return id
}

function box(id: number, name: string, many = false, key = camel(name)): number {
  table.set(id, { id, name, key, container: true, many })
  return id
}

/** Ids in use by this family's code; the rest of the table only gives names. */
export const ID = {
  MESH: box(0x000, 'MESH', true),
  VERTICES: leaf(0x002, 'VERTICES'),
  VERTEX_NORMALS: leaf(0x003, 'VERTEX_NORMALS'),
  MESH_USER_TEXT: leaf(0x00c, 'MESH_USER_TEXT', false, 'userText'),
  VERTEX_INFLUENCES: leaf(0x00e, 'VERTEX_INFLUENCES', false, 'influences'),
  MESH_HEADER3: leaf(0x01f, 'MESH_HEADER3', false, 'header'),
  TRIANGLES: leaf(0x020, 'TRIANGLES'),
  VERTEX_SHADE_INDICES: leaf(0x022, 'VERTEX_SHADE_INDICES', false, 'shadeIndices'),
  PRELIT_UNLIT: box(0x023, 'PRELIT_UNLIT'),
  PRELIT_VERTEX: box(0x024, 'PRELIT_VERTEX'),
  PRELIT_LIGHTMAP_MULTI_PASS: box(0x025, 'PRELIT_LIGHTMAP_MULTI_PASS'),
  PRELIT_LIGHTMAP_MULTI_TEXTURE: box(0x026, 'PRELIT_LIGHTMAP_MULTI_TEXTURE'),
  MATERIAL_INFO: leaf(0x028, 'MATERIAL_INFO'),
  SHADERS: leaf(0x029, 'SHADERS'),
  VERTEX_MATERIALS: box(0x02a, 'VERTEX_MATERIALS'),
  VERTEX_MATERIAL: box(0x02b, 'VERTEX_MATERIAL', true),
  VERTEX_MATERIAL_NAME: leaf(0x02c, 'VERTEX_MATERIAL_NAME', false, 'name'),
  VERTEX_MATERIAL_INFO: leaf(0x02d, 'VERTEX_MATERIAL_INFO', false, 'info'),
  VERTEX_MAPPER_ARGS0: leaf(0x02e, 'VERTEX_MAPPER_ARGS0', false, 'mapperArgs0'),
  VERTEX_MAPPER_ARGS1: leaf(0x02f, 'VERTEX_MAPPER_ARGS1', false, 'mapperArgs1'),
  TEXTURES: box(0x030, 'TEXTURES'),
  TEXTURE: box(0x031, 'TEXTURE', true),
  TEXTURE_NAME: leaf(0x032, 'TEXTURE_NAME', false, 'name'),
  TEXTURE_INFO: leaf(0x033, 'TEXTURE_INFO', false, 'info'),
  MATERIAL_PASS: box(0x038, 'MATERIAL_PASS', true, 'pass'),
  VERTEX_MATERIAL_IDS: leaf(0x039, 'VERTEX_MATERIAL_IDS'),
  SHADER_IDS: leaf(0x03a, 'SHADER_IDS'),
  DCG: leaf(0x03b, 'DCG'),
  DIG: leaf(0x03c, 'DIG'),
  SCG: leaf(0x03e, 'SCG'),
  SHADER_MATERIAL_ID: leaf(0x03f, 'SHADER_MATERIAL_ID'),
  TEXTURE_STAGE: box(0x048, 'TEXTURE_STAGE', true, 'stage'),
  TEXTURE_IDS: leaf(0x049, 'TEXTURE_IDS'),
  STAGE_TEXCOORDS: leaf(0x04a, 'STAGE_TEXCOORDS', false, 'texcoords'),
  PER_FACE_TEXCOORD_IDS: leaf(0x04b, 'PER_FACE_TEXCOORD_IDS'),
  SHADER_MATERIALS: box(0x050, 'SHADER_MATERIALS'),
  SHADER_MATERIAL: box(0x051, 'SHADER_MATERIAL', true),
  SHADER_MATERIAL_HEADER: leaf(0x052, 'SHADER_MATERIAL_HEADER', false, 'header'),
  SHADER_MATERIAL_PROPERTY: leaf(0x053, 'SHADER_MATERIAL_PROPERTY', true, 'property'),
  /** begins with a struct, so its payload is no list of chunks although the name of the id suggests one [V] */
  DEFORM: leaf(0x058, 'DEFORM'),
  TANGENTS: leaf(0x060, 'TANGENTS'),
  BITANGENTS: leaf(0x061, 'BITANGENTS'),
  PS2_SHADERS: leaf(0x080, 'PS2_SHADERS'),
  AABTREE: box(0x090, 'AABTREE', false, 'aabTree'),
  AABTREE_HEADER: leaf(0x091, 'AABTREE_HEADER', false, 'header'),
  AABTREE_POLYINDICES: leaf(0x092, 'AABTREE_POLYINDICES', false, 'polyIndices'),
  AABTREE_NODES: leaf(0x093, 'AABTREE_NODES', false, 'nodes'),

  HIERARCHY: box(0x100, 'HIERARCHY'),
  HIERARCHY_HEADER: leaf(0x101, 'HIERARCHY_HEADER', false, 'header'),
  PIVOTS: leaf(0x102, 'PIVOTS'),
  PIVOT_FIXUPS: leaf(0x103, 'PIVOT_FIXUPS', false, 'fixups'),

  ANIMATION: box(0x200, 'ANIMATION', true),
  ANIMATION_HEADER: leaf(0x201, 'ANIMATION_HEADER', false, 'header'),
  ANIMATION_CHANNEL: leaf(0x202, 'ANIMATION_CHANNEL', true, 'channel'),
  BIT_CHANNEL: leaf(0x203, 'BIT_CHANNEL', true),

  COMPRESSED_ANIMATION: box(0x280, 'COMPRESSED_ANIMATION', true),
  COMPRESSED_ANIMATION_HEADER: leaf(0x281, 'COMPRESSED_ANIMATION_HEADER', false, 'header'),
  COMPRESSED_ANIMATION_CHANNEL: leaf(0x282, 'COMPRESSED_ANIMATION_CHANNEL', true, 'channel'),
  COMPRESSED_BIT_CHANNEL: leaf(0x283, 'COMPRESSED_BIT_CHANNEL', true, 'bitChannel'),
  COMPRESSED_MOTION_CHANNEL: leaf(0x284, 'COMPRESSED_ANIMATION_MOTION_CHANNEL', true, 'motionChannel'),

  MORPH_ANIMATION: box(0x2c0, 'MORPH_ANIMATION', true),
  HMODEL: box(0x300, 'HMODEL'),
  HMODEL_HEADER: leaf(0x301, 'HMODEL_HEADER', false, 'header'),
  NODE: leaf(0x302, 'NODE', true),
  COLLISION_NODE: leaf(0x303, 'COLLISION_NODE', true),
  SKIN_NODE: leaf(0x304, 'SKIN_NODE', true),
  LODMODEL: box(0x400, 'LODMODEL'),
  COLLECTION: box(0x420, 'COLLECTION'),
  COLLECTION_HEADER: leaf(0x421, 'COLLECTION_HEADER', false, 'header'),
  COLLECTION_OBJ_NAME: leaf(0x422, 'COLLECTION_OBJ_NAME', true, 'objName'),
  PLACEHOLDER: leaf(0x423, 'PLACEHOLDER', true),
  TRANSFORM_NODE: leaf(0x424, 'TRANSFORM_NODE', true),
  POINTS: leaf(0x440, 'POINTS'),
  LIGHT: box(0x460, 'LIGHT', true),
  EMITTER: box(0x500, 'EMITTER', true),
  AGGREGATE: box(0x600, 'AGGREGATE', true),
  HLOD: box(0x700, 'HLOD'),
  HLOD_HEADER: leaf(0x701, 'HLOD_HEADER', false, 'header'),
  HLOD_LOD_ARRAY: box(0x702, 'HLOD_LOD_ARRAY', true, 'lodArray'),
  HLOD_SUB_OBJECT_ARRAY_HEADER: leaf(0x703, 'HLOD_SUB_OBJECT_ARRAY_HEADER', false, 'header'),
  HLOD_SUB_OBJECT: leaf(0x704, 'HLOD_SUB_OBJECT', true, 'subObject'),
  HLOD_AGGREGATE_ARRAY: box(0x705, 'HLOD_AGGREGATE_ARRAY', false, 'aggregateArray'),
  HLOD_PROXY_ARRAY: box(0x706, 'HLOD_PROXY_ARRAY', false, 'proxyArray'),
  BOX: leaf(0x740, 'BOX', true),
  SPHERE: leaf(0x741, 'SPHERE', true),
  RING: leaf(0x742, 'RING', true),
  NULL_OBJECT: leaf(0x750, 'NULL_OBJECT', true),
  LIGHTSCAPE: box(0x800, 'LIGHTSCAPE'),
  DAZZLE: box(0x900, 'DAZZLE', true),
  DAZZLE_NAME: leaf(0x901, 'DAZZLE_NAME', false, 'name'),
  DAZZLE_TYPENAME: leaf(0x902, 'DAZZLE_TYPENAME', false, 'typeName'),
  SOUNDROBJ: box(0xa00, 'SOUNDROBJ', true, 'soundObject'),
  SHDMESH: box(0xb00, 'SHDMESH', true),
  VERTICES_2: leaf(0xc00, 'VERTICES_2'),
  NORMALS_2: leaf(0xc01, 'NORMALS_2'),
} as const

/** Obsolete and rarely seen leaves: carried whole, shown by name. */
const NAMED: readonly (readonly [number, string, boolean?])[] = [
  [0x001, 'O_MESH_HEADER'],
  [0x004, 'O_SURRENDER_NORMALS'],
  [0x005, 'O_TEXCOORDS'],
  [0x006, 'O_MATERIALS'],
  [0x007, 'O_TRIANGLES'],
  [0x008, 'O_QUADRANGLES'],
  [0x009, 'O_SURRENDER_TRIANGLES'],
  [0x00a, 'O_POV_TRIANGLES'],
  [0x00b, 'O_POV_QUADRANGLES'],
  [0x00d, 'O_VERTEX_COLORS'],
  [0x010, 'O_DAMAGE_HEADER'],
  [0x011, 'O_DAMAGE_VERTICES', true],
  [0x012, 'O_DAMAGE_COLORS', true],
  [0x013, 'O_DAMAGE_MATERIALS', true],
  [0x014, 'O_MATERIALS2'],
  [0x018, 'O_MATERIAL3_NAME'],
  [0x019, 'O_MATERIAL3_INFO'],
  [0x01e, 'O_MESH_HEADER2'],
  [0x021, 'O_PER_TRI_MATERIALS'],
  [0x2c1, 'MORPHANIM_HEADER'],
  [0x2c3, 'MORPHANIM_POSENAME'],
  [0x2c4, 'MORPHANIM_KEYDATA'],
  [0x2c5, 'MORPHANIM_PIVOTCHANNELDATA'],
  [0x305, 'O_HMODEL_AUX_DATA'],
  [0x306, 'O_SHADOW_NODE', true],
  [0x401, 'LODMODEL_HEADER'],
  [0x402, 'LOD', true],
  [0x461, 'LIGHT_INFO'],
  [0x462, 'SPOT_LIGHT_INFO'],
  [0x463, 'NEAR_ATTENUATION'],
  [0x464, 'FAR_ATTENUATION'],
  [0x501, 'EMITTER_HEADER'],
  [0x502, 'EMITTER_USER_DATA'],
  [0x503, 'EMITTER_INFO'],
  [0x504, 'EMITTER_INFOV2'],
  [0x505, 'EMITTER_PROPS'],
  [0x506, 'O_EMITTER_COLOR_KEYFRAME', true],
  [0x507, 'O_EMITTER_OPACITY_KEYFRAME', true],
  [0x508, 'O_EMITTER_SIZE_KEYFRAME', true],
  [0x509, 'EMITTER_LINE_PROPERTIES'],
  [0x50a, 'EMITTER_ROTATION_KEYFRAMES'],
  [0x50b, 'EMITTER_FRAME_KEYFRAMES'],
  [0x50c, 'EMITTER_BLUR_TIME_KEYFRAMES'],
  [0x50d, 'EMITTER_EXTRA_INFO'],
  [0x601, 'AGGREGATE_HEADER'],
  [0x602, 'AGGREGATE_INFO'],
  [0x603, 'TEXTURE_REPLACER_INFO'],
  [0x604, 'AGGREGATE_CLASS_INFO'],
  [0x801, 'LIGHTSCAPE_LIGHT', true],
  [0x802, 'LIGHT_TRANSFORM'],
  // small pieces with one-byte ids and sizes of their own
  [0xa01, 'SOUNDROBJ_HEADER'],
  [0xa02, 'SOUNDROBJ_DEFINITION'],
]
for (const [id, name, many] of NAMED) leaf(id, name, many ?? false)
box(0x2c2, 'MORPHANIM_CHANNEL', true)

export function chunkInfo(id: number): ChunkInfo | undefined {
  return table.get(id)
}

/** `PIVOTS`, or `0x00001234` for an id that nobody names. */
export function chunkName(id: number): string {
  return table.get(id)?.name ?? `0x${id.toString(16).padStart(8, '0')}`
}

/** Part of a field path for the `k`-th chunk of its id among its siblings: `header`, `mesh[2]`, `x1234`. */
export function chunkKey(id: number, k: number): string {
  const info = table.get(id)
  const key = info?.key ?? `x${id.toString(16)}`
  return info?.many || k > 0 ? `${key}[${k}]` : key
}

/** Ids that stand at the top of a file, each with a child that it must have (-1 for leaves, 0 where any will do). */
export const TOP_LEVEL: ReadonlyMap<number, number> = new Map([
  [ID.MESH, ID.MESH_HEADER3],
  [ID.HIERARCHY, ID.HIERARCHY_HEADER],
  [ID.ANIMATION, ID.ANIMATION_HEADER],
  [ID.COMPRESSED_ANIMATION, ID.COMPRESSED_ANIMATION_HEADER],
  [ID.MORPH_ANIMATION, 0x2c1],
  [ID.HMODEL, ID.HMODEL_HEADER],
  [ID.LODMODEL, 0x401],
  [ID.COLLECTION, ID.COLLECTION_HEADER],
  [ID.POINTS, -1],
  [ID.LIGHT, 0x461],
  [ID.EMITTER, 0x501],
  [ID.AGGREGATE, 0x601],
  [ID.HLOD, ID.HLOD_HEADER],
  [ID.BOX, -1],
  [ID.SPHERE, -1],
  [ID.RING, -1],
  [ID.NULL_OBJECT, -1],
  [ID.LIGHTSCAPE, 0x801],
  [ID.DAZZLE, ID.DAZZLE_NAME],
  [ID.SOUNDROBJ, 0xa01],
  [ID.SHDMESH, 0xb01],
])
