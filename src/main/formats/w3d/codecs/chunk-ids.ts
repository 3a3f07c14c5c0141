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
  MORPHANIM_HEADER: leaf(0x2c1, 'MORPHANIM_HEADER', false, 'header'),
  MORPHANIM_CHANNEL: box(0x2c2, 'MORPHANIM_CHANNEL', true, 'channel'),
  MORPHANIM_POSENAME: leaf(0x2c3, 'MORPHANIM_POSENAME', false, 'poseName'),
  MORPHANIM_KEYDATA: leaf(0x2c4, 'MORPHANIM_KEYDATA', false, 'keys'),
  MORPHANIM_PIVOTCHANNELDATA: leaf(0x2c5, 'MORPHANIM_PIVOTCHANNELDATA', false, 'pivotChannels'),
  HMODEL: box(0x300, 'HMODEL'),
  HMODEL_HEADER: leaf(0x301, 'HMODEL_HEADER', false, 'header'),
  NODE: leaf(0x302, 'NODE', true),
  COLLISION_NODE: leaf(0x303, 'COLLISION_NODE', true),
  SKIN_NODE: leaf(0x304, 'SKIN_NODE', true),
  O_HMODEL_AUX_DATA: leaf(0x305, 'O_HMODEL_AUX_DATA', false, 'auxData'),
  O_SHADOW_NODE: leaf(0x306, 'O_SHADOW_NODE', true, 'shadowNode'),
  LODMODEL: box(0x400, 'LODMODEL'),
  LODMODEL_HEADER: leaf(0x401, 'LODMODEL_HEADER', false, 'header'),
  LOD: leaf(0x402, 'LOD', true),
  COLLECTION: box(0x420, 'COLLECTION'),
  COLLECTION_HEADER: leaf(0x421, 'COLLECTION_HEADER', false, 'header'),
  COLLECTION_OBJ_NAME: leaf(0x422, 'COLLECTION_OBJ_NAME', true, 'objName'),
  PLACEHOLDER: leaf(0x423, 'PLACEHOLDER', true),
  TRANSFORM_NODE: leaf(0x424, 'TRANSFORM_NODE', true),
  POINTS: leaf(0x440, 'POINTS'),
  LIGHT: box(0x460, 'LIGHT', true),
  LIGHT_INFO: leaf(0x461, 'LIGHT_INFO', false, 'info'),
  SPOT_LIGHT_INFO: leaf(0x462, 'SPOT_LIGHT_INFO', false, 'spotInfo'),
  NEAR_ATTENUATION: leaf(0x463, 'NEAR_ATTENUATION'),
  FAR_ATTENUATION: leaf(0x464, 'FAR_ATTENUATION'),
  EMITTER: box(0x500, 'EMITTER', true),
  EMITTER_HEADER: leaf(0x501, 'EMITTER_HEADER', false, 'header'),
  EMITTER_USER_DATA: leaf(0x502, 'EMITTER_USER_DATA', false, 'userData'),
  EMITTER_INFO: leaf(0x503, 'EMITTER_INFO', false, 'info'),
  EMITTER_INFOV2: leaf(0x504, 'EMITTER_INFOV2', false, 'infoV2'),
  EMITTER_PROPS: leaf(0x505, 'EMITTER_PROPS', false, 'props'),
  EMITTER_COLOR_KEYFRAME: leaf(0x506, 'O_EMITTER_COLOR_KEYFRAME', true, 'colorKeyframe'),
  EMITTER_OPACITY_KEYFRAME: leaf(0x507, 'O_EMITTER_OPACITY_KEYFRAME', true, 'opacityKeyframe'),
  EMITTER_SIZE_KEYFRAME: leaf(0x508, 'O_EMITTER_SIZE_KEYFRAME', true, 'sizeKeyframe'),
  EMITTER_LINE_PROPERTIES: leaf(0x509, 'EMITTER_LINE_PROPERTIES', false, 'lineProperties'),
  EMITTER_ROTATION_KEYFRAMES: leaf(0x50a, 'EMITTER_ROTATION_KEYFRAMES', false, 'rotationKeyframes'),
  EMITTER_FRAME_KEYFRAMES: leaf(0x50b, 'EMITTER_FRAME_KEYFRAMES', false, 'frameKeyframes'),
  EMITTER_BLUR_TIME_KEYFRAMES: leaf(0x50c, 'EMITTER_BLUR_TIME_KEYFRAMES', false, 'blurTimeKeyframes'),
  EMITTER_EXTRA_INFO: leaf(0x50d, 'EMITTER_EXTRA_INFO', false, 'extraInfo'),
  AGGREGATE: box(0x600, 'AGGREGATE', true),
  AGGREGATE_HEADER: leaf(0x601, 'AGGREGATE_HEADER', false, 'header'),
  AGGREGATE_INFO: leaf(0x602, 'AGGREGATE_INFO', false, 'info'),
  TEXTURE_REPLACER_INFO: leaf(0x603, 'TEXTURE_REPLACER_INFO', false, 'textureReplacers'),
  AGGREGATE_CLASS_INFO: leaf(0x604, 'AGGREGATE_CLASS_INFO', false, 'classInfo'),
  HLOD: box(0x700, 'HLOD'),
  HLOD_HEADER: leaf(0x701, 'HLOD_HEADER', false, 'header'),
  HLOD_LOD_ARRAY: box(0x702, 'HLOD_LOD_ARRAY', true, 'lodArray'),
  HLOD_SUB_OBJECT_ARRAY_HEADER: leaf(0x703, 'HLOD_SUB_OBJECT_ARRAY_HEADER', false, 'header'),
  HLOD_SUB_OBJECT: leaf(0x704, 'HLOD_SUB_OBJECT', true, 'subObject'),
  HLOD_AGGREGATE_ARRAY: box(0x705, 'HLOD_AGGREGATE_ARRAY', false, 'aggregateArray'),
  HLOD_PROXY_ARRAY: box(0x706, 'HLOD_PROXY_ARRAY', false, 'proxyArray'),
  /** a fan-made build's, of the same form */
  HLOD_LIGHT_ARRAY: box(0x707, 'HLOD_LIGHT_ARRAY', false, 'lightArray'),
  BOX: leaf(0x740, 'BOX', true),
  SPHERE: leaf(0x741, 'SPHERE', true),
  RING: leaf(0x742, 'RING', true),
  NULL_OBJECT: leaf(0x750, 'NULL_OBJECT', true),
  LIGHTSCAPE: box(0x800, 'LIGHTSCAPE'),
  LIGHTSCAPE_LIGHT: box(0x801, 'LIGHTSCAPE_LIGHT', true, 'light'),
  LIGHT_TRANSFORM: leaf(0x802, 'LIGHT_TRANSFORM', false, 'transform'),
  DAZZLE: box(0x900, 'DAZZLE', true),
  DAZZLE_NAME: leaf(0x901, 'DAZZLE_NAME', false, 'name'),
  DAZZLE_TYPENAME: leaf(0x902, 'DAZZLE_TYPENAME', false, 'typeName'),
  SOUNDROBJ: box(0xa00, 'SOUNDROBJ', true, 'soundObject'),
  SOUNDROBJ_HEADER: leaf(0xa01, 'SOUNDROBJ_HEADER', false, 'header'),
  SOUNDROBJ_DEFINITION: leaf(0xa02, 'SOUNDROBJ_DEFINITION', false, 'definition'),
  SHDMESH: box(0xb00, 'SHDMESH', true),
  SHDMESH_NAME: leaf(0xb01, 'SHDMESH_NAME', false, 'name'),
  SHDMESH_HEADER: leaf(0xb02, 'SHDMESH_HEADER', false, 'header'),
  SHDMESH_USER_TEXT: leaf(0xb03, 'SHDMESH_USER_TEXT', false, 'userText'),
  SHDSUBMESH: box(0xb20, 'SHDSUBMESH', true, 'subMesh'),
  SHDSUBMESH_HEADER: leaf(0xb21, 'SHDSUBMESH_HEADER', false, 'header'),
  SHDSUBMESH_SHADER: box(0xb40, 'SHDSUBMESH_SHADER', false, 'shader'),
  SHDSUBMESH_SHADER_CLASSID: leaf(0xb41, 'SHDSUBMESH_SHADER_CLASSID', false, 'classId'),
  SHDSUBMESH_SHADER_DEF: leaf(0xb42, 'SHDSUBMESH_SHADER_DEF', false, 'definition'),
  SHDSUBMESH_VERTICES: leaf(0xb43, 'SHDSUBMESH_VERTICES', false, 'vertices'),
  SHDSUBMESH_VERTEX_NORMALS: leaf(0xb44, 'SHDSUBMESH_VERTEX_NORMALS', false, 'vertexNormals'),
  SHDSUBMESH_TRIANGLES: leaf(0xb45, 'SHDSUBMESH_TRIANGLES', false, 'triangles'),
  SHDSUBMESH_VERTEX_SHADE_INDICES: leaf(0xb46, 'SHDSUBMESH_VERTEX_SHADE_INDICES', false, 'shadeIndices'),
  SHDSUBMESH_UV0: leaf(0xb47, 'SHDSUBMESH_UV0', false, 'uv0'),
  SHDSUBMESH_UV1: leaf(0xb48, 'SHDSUBMESH_UV1', false, 'uv1'),
  SHDSUBMESH_TANGENT_BASIS_S: leaf(0xb49, 'SHDSUBMESH_TANGENT_BASIS_S', false, 'tangentBasisS'),
  SHDSUBMESH_TANGENT_BASIS_T: leaf(0xb4a, 'SHDSUBMESH_TANGENT_BASIS_T', false, 'tangentBasisT'),
  SHDSUBMESH_TANGENT_BASIS_SXT: leaf(0xb4b, 'SHDSUBMESH_TANGENT_BASIS_SXT', false, 'tangentBasisSxt'),
  SHDSUBMESH_VERTEX_COLOR: leaf(0xb4c, 'SHDSUBMESH_VERTEX_COLOR', false, 'vertexColor'),
  SHDSUBMESH_VERTEX_INFLUENCES: leaf(0xb4d, 'SHDSUBMESH_VERTEX_INFLUENCES', false, 'influences'),
  VERTICES_2: leaf(0xc00, 'VERTICES_2'),
  NORMALS_2: leaf(0xc01, 'NORMALS_2'),
  LIGHTMAP_UV: leaf(0xc02, 'LIGHTMAP_UV'),

  // before mesh headers of version 3
  O_MESH_HEADER: leaf(0x001, 'O_MESH_HEADER'),
  O_SURRENDER_NORMALS: leaf(0x004, 'O_SURRENDER_NORMALS'),
  O_TEXCOORDS: leaf(0x005, 'O_TEXCOORDS'),
  O_MATERIALS: leaf(0x006, 'O_MATERIALS'),
  O_SURRENDER_TRIANGLES: leaf(0x009, 'O_SURRENDER_TRIANGLES'),
  O_VERTEX_COLORS: leaf(0x00d, 'O_VERTEX_COLORS'),
  O_DAMAGE: box(0x00f, 'O_DAMAGE', true),
  O_DAMAGE_HEADER: leaf(0x010, 'O_DAMAGE_HEADER'),
  O_DAMAGE_VERTICES: leaf(0x011, 'O_DAMAGE_VERTICES', true),
  O_DAMAGE_COLORS: leaf(0x012, 'O_DAMAGE_COLORS', true),
  O_MATERIALS2: leaf(0x014, 'O_MATERIALS2'),
  O_MATERIALS3: box(0x015, 'O_MATERIALS3'),
  O_MATERIAL3: box(0x016, 'O_MATERIAL3', true),
  O_MATERIAL3_NAME: leaf(0x017, 'O_MATERIAL3_NAME'),
  O_MATERIAL3_INFO: leaf(0x018, 'O_MATERIAL3_INFO'),
  O_MATERIAL3_DC_MAP: box(0x019, 'O_MATERIAL3_DC_MAP'),
  O_MAP3_FILENAME: leaf(0x01a, 'O_MAP3_FILENAME'),
  O_MAP3_INFO: leaf(0x01b, 'O_MAP3_INFO'),
  O_MATERIAL3_DI_MAP: box(0x01c, 'O_MATERIAL3_DI_MAP'),
  O_MATERIAL3_SC_MAP: box(0x01d, 'O_MATERIAL3_SC_MAP'),
  O_MATERIAL3_SI_MAP: box(0x01e, 'O_MATERIAL3_SI_MAP'),
  O_PER_TRI_MATERIALS: leaf(0x021, 'O_PER_TRI_MATERIALS'),
} as const

/** Leaves whose layout nobody tells: carried whole, shown by name. */
const NAMED: readonly (readonly [number, string, boolean?])[] = [
  [0x007, 'O_TRIANGLES'],
  [0x008, 'O_QUADRANGLES'],
  [0x00a, 'O_POV_TRIANGLES'],
  [0x00b, 'O_POV_QUADRANGLES'],
  [0x013, 'O_DAMAGE_MATERIALS', true],
]
for (const [id, name, many] of NAMED) leaf(id, name, many ?? false)

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
  [ID.MORPH_ANIMATION, ID.MORPHANIM_HEADER],
  [ID.HMODEL, ID.HMODEL_HEADER],
  [ID.LODMODEL, ID.LODMODEL_HEADER],
  [ID.COLLECTION, ID.COLLECTION_HEADER],
  [ID.POINTS, -1],
  [ID.LIGHT, ID.LIGHT_INFO],
  [ID.EMITTER, ID.EMITTER_HEADER],
  [ID.AGGREGATE, ID.AGGREGATE_HEADER],
  [ID.HLOD, ID.HLOD_HEADER],
  [ID.BOX, -1],
  [ID.SPHERE, -1],
  [ID.RING, -1],
  [ID.NULL_OBJECT, -1],
  [ID.LIGHTSCAPE, ID.LIGHTSCAPE_LIGHT],
  [ID.DAZZLE, ID.DAZZLE_NAME],
  [ID.SOUNDROBJ, ID.SOUNDROBJ_HEADER],
  [ID.SHDMESH, ID.SHDMESH_NAME],
])
