/**
 * What engines demand of files, by the numbers on the pages of the specs (`engine-rules.md`, section 5 of `level5-discs.md`), and which of our rules
 * judge each demand. What none judges, whole or in part, stands in docs/lint.md with the reason.
 */
import type { FamilyId } from '../../src/shared/api/types/family.ts'

interface Demand {
  /** ids without the family */
  readonly rules?: readonly string[]
  /** what no rule judges of it, and why */
  readonly unjudged?: readonly [demand: string, because: string]
  /** why ours are milder than the page: hints where it has more than one source for a fault */
  readonly milder?: string
}

const by = (...rules: string[]): Demand => ({ rules })
const not = (demand: string, because: string): Demand => ({ unjudged: [demand, because] })

const LEVEL5: Readonly<Record<string, Demand>> = {
  M1: by('node-order'),
  M2: by('skin-node'),
  M3: by('vertex-limit'),
  M4: by('alloc-count', 'alloc-missing'),
  M5: by('alloc-unknown'),
  M6: by('bbp-apart', 'bbp-zero'),
  M7: by('mesh-sections', 'mdt-alignment'),
  M8: by('bank-of-other-game'),
  M9: by('texture-missing'),
  M10: by('many-nodes'),
  M11: {
    ...by('many-meshes'),
    ...not('at most 50,000 bytes of meshes in a frame', 'depends on what else is drawn; many meshes of one model are told'),
  },
  M12: by('hidden-by-scale'),
  M13: not('at most 400 vertices and 800 normals on one path of Dark Cloud 2', 'nobody says which meshes take it'),
  M14: not('a normal that several vertices share', 'is right: effects of the game have one for four vertices'),
  M15: by('billboard-turned'),
  W1: by('group-reset'),
  W2: by('group-order'),
  W3: by('group-gone'),
  W4: by('weight-sum'),
  // each skin is asked for a reset of its own
  W5: by('group-reset'),
  K1: by('root-track'),
  K2: by('track-starts-late'),
  K3: by('track-ends-early', 'window-beyond'),
  K4: by('keys-order'),
  K5: by('window-count', 'window-moved'),
  K6: by('window-order', 'window-speed'),
  K7: by('window-speed'),
  K8: not('a looping window ends in its first pose', 'what loops is in the code and scripts of the game'),
  K9: by('window-moved'),
  K10: not('a transplanted motion goes by names of nodes', 'a rule for the tool that does it'),
  K11: { ...by('event-outside'), ...not('events keep their frames', 'only the original shows it: `marrow compare`') },
  K12: by('script-name', 'file-missing'),
}

const W3D: Readonly<Record<string, Demand>> = {
  W1: by('hierarchy-incomplete', 'pivot-count', 'pivot-parent', 'root-parent', 'second-root'),
  W2: {
    ...by('name-length'),
    ...not('names have at most 14 letters where levels of detail add one', 'the games themselves have many of 15; 16 are told'),
  },
  W3: by('pivot-name-twice'),
  W4: by('root-transform'),
  W5: by('animation-skeleton', 'hierarchy-missing'),
  W6: by('channel-pivot'),
  W7: by('clip-file'),
  W8: by('clip-flavour'),
  W9: by('key-order', 'key-range'),
  W10: by('clip-rate'),
  W11: not('blending between frames', 'no demand on a file'),
  W12: not('losses of the exporter', 'no demand on a file'),
  W13: by('bone-index'),
  W14: by('lod-levels', 'lod-order'),
  W15: by('hlod-without-skeleton', 'hierarchy-missing'),
  W16: by('sub-object-name', 'sub-object-name-end', 'sub-object-missing'),
  W17: by('mesh-name-bone'),
  W18: by('mesh-header-first', 'mesh-header'),
  W19: by('influence-count', 'influences-unused'),
  W20: by('second-bone', 'second-stream-missing'),
  W21: by('no-weight', 'weight-sum'),
  W22: by('vertex-limit'),
  W23: by('translucent-limit'),
  W24: by('material-combinations'),
  W25: by('pass-count', 'stage-count'),
  W26: by('transparent-passes'),
  W27: by('empty-mesh'),
  W28: by('texture-sides'),
  W29: by('mesh-box', 'mesh-sphere'),
  W30: by('mesh-version'),
  W31: not('bones and parts that INI files name', 'Marrow reads no INI files'),
  W32: not('an idle animation that travels', 'which is one says an INI file'),
  W33: not('the number of bones of other engines', 'was mended there'),
  W34: by('tree-on-skin'),
  W35: by('fixup-vectors', 'fixup-count'),
}

const RENDERWARE: Readonly<Record<string, Demand>> = {
  I1: by('key-first'),
  I2: by('key-order'),
  I3: by('key-no-time'),
  I4: by('key-tick'),
  I5: by('packed-range'),
  I6: by('packed-range'),
  I7: by('packed-range', 'key-not-a-number'),
  I8: by('key-length'),
  I9: by('clip-empty'),
  I10: by('clip-counts'),
  I11: by('package-name'),
  I12: by('clip-name-length', 'clip-name-end'),
  I13: by('clip-twice', 'clip-bone-twice'),
  I14: by('clip-mixed'),
  I15: not('every key has a rotation', 'no form of the file has keys without'),
  I16: { ...by('translation-not-root'), milder: 'is legal, and done in originals' },
  I17: by('key-scale'),
  I18: by('clip-limit'),
  I19: { ...by('bone-ids-ignored'), milder: 'a file of III is right there' },
  I20: not('60 ticks a second, not 30 frames', 'a rule for the tool that writes: a file does not say what was meant'),
  I21: not('travel of the figure is in the root', 'a clip that stands still is right too'),
  S1: by('no-hanim-table', 'table-on-root', 'several-tables'),
  S2: by('last-atomic-unskinned', 'no-atomic'),
  S3: by('hanim-no-matrices', 'hanim-key-size', 'hanim-version'),
  S4: by('too-many-bones', 'too-many-nodes', 'push-depth'),
  S5: by('bone-count', 'no-bones'),
  S6: by('node-order'),
  S7: by('push-pop'),
  S8: by('duplicate-node'),
  S9: by('missing-nodes'),
  S10: by('missing-nodes-at-times'),
  S11: by('max-weights', 'skin-layout', 'no-used-bones'),
  S12: { ...by('used-bones-missing'), milder: 'originals lack bone 0 in the list' },
  S13: by('weight-sum', 'weight-negative', 'weight-not-a-number'),
  S14: by('zero-weights'),
  S15: by('bone-range'),
  S16: by('singular-matrix'),
  S17: by('node-name-length'),
  S18: by('frame-parent', 'atomic-frame', 'atomic-geometry'),
  S19: by('hanim-behind-name'),
  S20: by('many-bones'),
  S21: {
    ...by('stamp-changed'),
    ...not('stamps that are too old', 'a file does not say for which game it is; a stamp that is another than the game’s is told'),
  },
  S22: not('III’s models of several clumps', 'a file does not say for which game it is'),
  S23: not('what SA-MP validates', 'its rules are not public'),
  D1: by('vertex-limit'),
  D2: by('triangle-range', 'no-material', 'material-range', 'vertex-range'),
  D3: by('uv-sets'),
  D4: not(
    'the arrays of a geometry are as long as its flags say',
    'the reader goes by them: what is left over, or does not fit, is said while the file is read',
  ),
  D5: by('native-geometry'),
  D6: by('bounding-sphere'),
  D7: by('black-material'),
  D8: by('night-colours'),
  D9: by('texture-name-length', 'texture-name-ascii'),
  D10: by('uv-animation'),
  D11: by('effect-count', 'effect-type', 'effect-name', 'effect-shadow', 'effect-hours'),
  D12: by('breakable-range'),
  D13: {
    ...by('object-atomics', 'object-turned'),
    ...not('`_dam` parts have a flag in the list of objects', 'flags of lists are not read'),
  },
  D14: by('file-name-length'),
  D15: by('many-materials'),
  D16: by('stamp-newer', 'stamp-changed'),
  D17: by('no-bin-mesh', 'struct-materials'),
  T1: by('texture-of-other-game', 'texture-platform'),
  T2: by('texture-palette'),
  T3: by('texture-auto-mips'),
  T4: by('level-count', 'level-size', 'texture-chain', 'texture-mip-flag'),
  T5: by('texture-raster', 'texture-format'),
  T6: by('texture-alpha'),
  T7: by('texture-size', 'texture-large'),
  T8: { ...by('texture-sampler'), milder: 'originals have such values' },
  T9: {
    ...by('txd-count'),
    ...not('Structs of a dictionary and its pictures end with their last field', 'the reader says what is left over'),
  },
  T10: by('texture-twice', 'texture-name-empty', 'texture-name-end'),
  T11: by('texture-cube'),
  T12: not('a member of an archive below 128 MiB, names of 23 letters', 'such an archive cannot be written: saving refuses it'),
}

const LOSTSAGA: Readonly<Record<string, Demand>> = {
  L1: by('too-many-vertices', 'many-faces'),
  L2: by('influence-order', 'weight-sum', 'no-weight'),
  L3: by('influence-range', 'empty-list-name'),
  L4: by('unknown-bone'),
  L5: by('weights-without-indices'),
  L6: by('material-count'),
  L7: by('rigid-submesh'),
  L8: by('bounding-box', 'bounding-radius'),
  L9: by('face-winding'),
  L10: by('key-order', 'unknown-bone'),
  L11: not('the version fits the coding of keys', 'the reader goes by it'),
  L12: { ...by('file-case'), ...not('texts are CP949', 'other bytes are kept and shown as such') },
  L13: not('an export of several objects by one tool counts bones wrongly', 'the numbers are in range: nothing shows it'),
  L14: not('limits of the client', 'nothing is public'),
}

export const ENGINE_RULES: Readonly<Record<FamilyId, Readonly<Record<string, Demand>>>> = {
  level5: LEVEL5,
  w3d: W3D,
  renderware: RENDERWARE,
  lostsaga: LOSTSAGA,
}

/** Demands that stand on the pages without a number. */
const BESIDE: Readonly<Record<string, readonly (readonly [demand: string, because: string])[]>> = {
  level5: [
    ['a pack that grows', 'the size of a file does not say how large it is built; a model that is built larger than the game’s is told'],
  ],
}

/** Demands of a family that no rule judges, and why. */
export function unjudged(family: FamilyId): (readonly [demand: string, because: string])[] {
  return [...Object.values(ENGINE_RULES[family]).flatMap(({ unjudged }) => (unjudged ? [unjudged] : [])), ...(BESIDE[family] ?? [])]
}
