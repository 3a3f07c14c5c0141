/**
 * BBP: bind pose, one 4 x 4 matrix (64 bytes, as in the MDS) per node in the order of the MDS, no header.
 * Dark Cloud 1 keeps local matrices (some or all may be zero: the MDS matrix then counts), Dark Cloud 2 model-space ones.
 * No public sample: two decompiles and three tools agree.
 */
import { extensionOf } from '../../../../shared/ref.ts'
import { invertAffine, multiply } from '../../../../shared/scene/matrix.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { f32s, record } from '../../../binary/layout.ts'
import { Diagnostics } from '../../format.ts'
import { field, leftover, node } from '../../../binary/structure.ts'
import { say } from '../texts/index.ts'
import type { Document, FileFormat } from '../../format.ts'

const MATRIX = record({ matrix: f32s(16) })
const MATRIX_SIZE = MATRIX.size
/** matrices that describe lists one by one */
const SHOWN = 4096

export interface BbpDocument extends Document {
  readonly format: 'level5.bbp'
  /** 16 floats per node, in memory order (translation in 12..14) */
  matrices: Float32Array
  /** bytes behind the last whole matrix */
  trailing: Uint8Array
}

export type BbpForm = 'local' | 'world'

export function isZeroMatrix(m: Float32Array, o: number): boolean {
  for (let i = 0; i < 16; i++) if (m[o + i] !== 0) return false
  return true
}

/**
 * Model-space bind matrices of all nodes: what the file says in the form it is read in, and the MDS where the file has a
 * zero matrix, none at all, or numbers that are none.
 * @param order nodes with parents before children
 * @param locals,worlds of the MDS, 16 per node
 */
export function bindWorlds(
  form: BbpForm,
  matrices: Float32Array,
  parents: ArrayLike<number>,
  order: ArrayLike<number>,
  locals: Float32Array,
  worlds: Float32Array,
): Float32Array {
  const out = new Float32Array(worlds.length)
  for (let i = 0; i < order.length; i++) {
    const n = order[i]
    const at = 16 * n
    const given = at + 16 <= matrices.length && !isZeroMatrix(matrices, at) && isFiniteMatrix(matrices, at)
    const parent = parents[n]
    if (form === 'world' && given) out.set(matrices.subarray(at, at + 16), at)
    else {
      // a zero entry falls back alone: its children still hang below the file's own chain
      const local = given ? matrices : locals
      if (parent >= 0) multiply(out, at, out, 16 * parent, local, at)
      else out.set(local.subarray(at, at + 16), at)
    }
  }
  return out
}

function isFiniteMatrix(m: Float32Array, o: number): boolean {
  for (let i = 0; i < 16; i++) if (!Number.isFinite(m[o + i])) return false
  return true
}

/**
 * Which form the file has. Read either way, every bone has a place in its parent; the right reading gives places near the
 * MDS's own, even where the pose of the MDS is not the bind pose: a bone that turns keeps its offset. Equal reads as local.
 */
export function detectForm(
  matrices: Float32Array,
  parents: ArrayLike<number>,
  order: ArrayLike<number>,
  locals: Float32Array,
  worlds: Float32Array,
): { form: BbpForm; reason: string } {
  const given: number[] = []
  for (let i = 0; i < order.length; i++)
    if (16 * order[i] + 16 <= matrices.length && !isZeroMatrix(matrices, 16 * order[i])) given.push(order[i])
  if (!given.length) return { form: 'local', reason: say('codecs.bbp.allZero') }
  const inverse = new Float32Array(16)
  const local = new Float32Array(16)
  const errorOf = (form: BbpForm): number => {
    const bind = bindWorlds(form, matrices, parents, order, locals, worlds)
    let sum = 0
    for (const n of given) {
      const at = 16 * n
      if (parents[n] < 0) local.set(bind.subarray(at, at + 16))
      else if (invertAffine(inverse, 0, bind, 16 * parents[n])) multiply(local, 0, inverse, 0, bind, at)
      else continue
      let offset = 0
      let size = 1e-6
      for (let k = 12; k < 15; k++) {
        offset += (local[k] - locals[at + k]) ** 2
        size += Math.abs(local[k]) + Math.abs(locals[at + k])
      }
      let turn = 0
      for (let k = 0; k < 12; k++) turn += Math.abs(local[k] - locals[at + k])
      // one odd node must not outvote the others
      const error = Math.sqrt(offset) / size + Math.min(1, turn / 6) / 4
      sum += Number.isFinite(error) ? Math.min(error, 1.25) : 1.25
    }
    return sum / given.length
  }
  const asLocal = errorOf('local')
  const asWorld = errorOf('world')
  return {
    form: asWorld < asLocal ? 'world' : 'local',
    reason: say('codecs.bbp.distances', { world: asWorld.toFixed(3), local: asLocal.toFixed(3) }),
  }
}

/** A matrix as bind poses have them: numbers of sane size, last column 0 0 0 1; or all zero. */
function plausible(view: DataView, at: number): boolean {
  let zero = true
  for (let i = 0; i < 16; i++) {
    const v = view.getFloat32(at + 4 * i, true)
    if (!Number.isFinite(v) || Math.abs(v) > 1e7) return false
    if (v !== 0) zero = false
  }
  return (
    zero ||
    (view.getFloat32(at + 12, true) === 0 &&
      view.getFloat32(at + 28, true) === 0 &&
      view.getFloat32(at + 44, true) === 0 &&
      view.getFloat32(at + 60, true) === 1)
  )
}

export const bbpFormat: FileFormat<BbpDocument> = {
  id: 'level5.bbp',
  get label() {
    return say('codecs.bbp.label')
  },
  family: 'level5',
  kind: 'bind-pose',
  extensions: ['bbp'],
  identify(head, name, size) {
    if (extensionOf(name) !== 'bbp' || size < MATRIX_SIZE) return 0
    const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
    const seen = Math.min(Math.floor(head.length / MATRIX_SIZE), 64)
    let good = 0
    for (let i = 0; i < seen; i++) if (plausible(view, MATRIX_SIZE * i)) good++
    if (good === seen && seen > 0) return size % MATRIX_SIZE === 0 ? 0.9 : 0.7
    return good > 0 ? 0.5 : 0
  },
  decode(bytes, ref) {
    if (bytes.length < MATRIX_SIZE) {
      throw new FormatError('truncated', say('codecs.bbp.tooShort', { needed: MATRIX_SIZE, size: bytes.length }), {
        file: ref,
        path: 'matrices[0]',
        offset: 0,
        expected: say('files.byteCount', { count: MATRIX_SIZE }),
        actual: say('files.byteCount', { count: bytes.length }),
      })
    }
    const diagnostics = new Diagnostics(ref)
    const count = Math.floor(bytes.length / MATRIX_SIZE)
    const end = count * MATRIX_SIZE
    if (end < bytes.length)
      diagnostics.add('warning', 'level5.bbp-size', say('codecs.bbp.trailing', { count: bytes.length - end, all: count }), 'trailing', end)
    return {
      format: 'level5.bbp',
      ref,
      diagnostics: diagnostics.list,
      matrices: new Float32Array(bytes.slice(0, end).buffer),
      trailing: bytes.slice(end),
    }
  },
  encode(document, out) {
    out.raw(document.matrices)
    if (document.trailing.length) out.opaque(document.trailing)
  },
  describe(document) {
    const count = document.matrices.length / 16
    const children = []
    for (let i = 0; i < Math.min(count, SHOWN); i++) {
      const m = document.matrices.subarray(16 * i, 16 * i + 16)
      children.push(
        node(
          `matrices[${i}]`,
          say('formats.nodes.matrix'),
          { start: MATRIX_SIZE * i, end: MATRIX_SIZE * (i + 1) },
          MATRIX.describe({ matrix: m }, MATRIX_SIZE * i),
          [],
          {
            summary: isZeroMatrix(m, 0) ? say('codecs.bbp.zero') : undefined,
          },
        ),
      )
    }
    const end = MATRIX_SIZE * count
    if (count > SHOWN)
      children.push(
        node(`matrices[${SHOWN}…]`, say('formats.nodes.matrices'), { start: MATRIX_SIZE * SHOWN, end }, [
          field(
            'matrices',
            `f32[16] x ${count - SHOWN}`,
            MATRIX_SIZE * SHOWN,
            end - MATRIX_SIZE * SHOWN,
            document.matrices.subarray(16 * SHOWN),
          ),
        ]),
      )
    const fields = leftover('trailing', end, document.trailing)
    return node('', 'level5.bbp', { start: 0, end: end + document.trailing.length }, fields, children, {
      summary: say('codecs.bbp.matrices', { count: count }),
    })
  },
  summarize(document) {
    return {
      needs: [`level5.nodes:${document.matrices.length / 16}`],
      note: say('codecs.bbp.matrices', { count: document.matrices.length / 16 }),
    }
  },
}
