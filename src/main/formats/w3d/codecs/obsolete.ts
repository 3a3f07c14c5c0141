/**
 * Chunks of the time before mesh headers of version 3, and others that the engine has given up. Layouts from the released headers (of the
 * HMODEL's counts also 6 real ones [V]); they are read into fields and nothing is made of them.
 */
import { ID } from './chunk-ids.ts'
import { bytes, chars, f32s, flags32, u16, u32, u32s } from '../../../binary/layout.ts'
import { colors, floats, records, shorts, struct, text, version } from './leaves.ts'
import type { LeafCodec } from './chunk.ts'

const float = f32s(1)
const material = { materialName: chars(16), primaryName: chars(16), secondaryName: chars(16), renderFlags: flags32, color: bytes(4) }

export const obsoleteCodecs: readonly LeafCodec[] = [
  struct(
    ID.O_MESH_HEADER,
    {
      version,
      meshName: chars(16),
      attributes: flags32,
      numTris: u32,
      numQuads: u32,
      numSrTris: u32,
      numPovTris: u32,
      numPovQuads: u32,
      numVertices: u32,
      numNormals: u32,
      numSrNormals: u32,
      numTexCoords: u32,
      numMaterials: u32,
      numVertColors: u32,
      numVertInfluences: u32,
      numDamageStages: u32,
      futureCounts: u32s(5),
      lodMin: float,
      lodMax: float,
      min: f32s(3),
      max: f32s(3),
      sphCenter: f32s(3),
      sphRadius: float,
      translation: f32s(3),
      rotation: f32s(9),
      massCenter: f32s(3),
      inertia: f32s(9),
      volume: float,
      hierarchyTreeName: chars(16),
      hierarchyModelName: chars(16),
      futureUse: u32s(24),
    },
    { unknown: ['futureCounts', 'futureUse'] },
  ),
  floats(ID.O_SURRENDER_NORMALS, 3),
  floats(ID.O_TEXCOORDS, 2),
  records(ID.O_MATERIALS, material, 'material'),
  records(ID.O_SURRENDER_TRIANGLES, {
    vertices: u32s(3),
    texcoords: f32s(6),
    material: u32,
    normal: f32s(3),
    attributes: flags32,
    gouraud: bytes(12),
  }),
  colors(ID.O_VERTEX_COLORS, 'padding'),
  struct(
    ID.O_DAMAGE_HEADER,
    { numDamageMaterials: u32, numDamageVerts: u32, numDamageColors: u32, damageIndex: u32, futureUse: u32s(4) },
    { unknown: ['futureUse'] },
  ),
  records(ID.O_DAMAGE_VERTICES, { vertexIndex: u32, newVertex: f32s(3) }),
  records(ID.O_DAMAGE_COLORS, { vertexIndex: u32, newColor: bytes(4) }),
  records(ID.O_MATERIALS2, { ...material, primaryNumFrames: u16, secondaryNumFrames: u16, pad: bytes(12) }, 'material', {
    unknown: ['pad'],
  }),
  text(ID.O_MATERIAL3_NAME),
  struct(ID.O_MATERIAL3_INFO, {
    attributes: flags32,
    diffuseColor: bytes(4),
    specularColor: bytes(4),
    emissiveCoefficients: bytes(4),
    ambientCoefficients: bytes(4),
    diffuseCoefficients: bytes(4),
    specularCoefficients: bytes(4),
    shininess: float,
    opacity: float,
    translucency: float,
    fogCoeff: float,
  }),
  text(ID.O_MAP3_FILENAME),
  struct(ID.O_MAP3_INFO, { mappingType: u16, frameCount: u16, frameRate: float }),
  shorts(ID.O_PER_TRI_MATERIALS),
  struct(
    ID.O_HMODEL_AUX_DATA,
    {
      attributes: flags32,
      meshCount: u32,
      collisionCount: u32,
      skinCount: u32,
      shadowCount: u32,
      nullCount: u32,
      futureCounts: u32s(6),
      lodMin: float,
      lodMax: float,
      futureUse: u32s(32),
    },
    { unknown: ['futureCounts', 'futureUse'] },
  ),
  struct(ID.O_SHADOW_NODE, { renderObjName: chars(16), pivot: u16 }),
  floats(ID.LIGHTMAP_UV, 2),
]
