/** Nodes at rest and the bind pose beside them: what must change in a BBP so that skins stay where they are when nodes move. */
import { invertAffine, multiply } from '../../../../shared/scene/matrix.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { OPTION } from '../scene/options.ts'
import { mdsWorlds } from '../scene/skeleton.ts'
import { bindWorlds, detectForm } from '../codecs/bbp.ts'
import { skinOwners } from '../codecs/wgt.ts'
import { say } from '../texts/index.ts'
import type { EditSession } from '../../editing.ts'
import type { BbpDocument, BbpForm } from '../codecs/bbp.ts'
import type { MdsDocument } from '../codecs/mds.ts'
import type { WgtDocument } from '../codecs/wgt.ts'

/** Share of a matrix's size up to which a difference is rounding: such an entry keeps its bytes. */
const ROUNDING = 1e-6

/**
 * Runs `change` on the nodes. Then every bone's bind matrix is given the way that its place at rest went, so that world * inverse bind is what it was;
 * a mesh keeps the bind matrix of its own node, which says where it stands.
 */
export function keepingSkins(session: EditSession, change: (mds: MdsDocument) => void): void {
  const mds = session.edit<MdsDocument>(session.binding.primary)
  const member = session.binding.members.find((m) => session.document(m.ref)?.format === 'level5.bbp')
  const before = mdsWorlds(mds)
  change(mds)
  // without a bind pose the nodes are it, and skins stay by themselves
  if (!member) return
  const after = mdsWorlds(mds)
  const old = (session.document(member.ref) as BbpDocument).matrices
  const chosen = session.assembled.options.find((o) => o.key === OPTION.bbp)?.value
  const form: BbpForm =
    chosen === 'local' || chosen === 'world' ? chosen : detectForm(old, before.parents, before.order, before.locals, before.worlds).form
  const bind = bindWorlds(form, old, before.parents, before.order, before.locals, before.worlds)
  const owners = new Set(
    session.binding.members.flatMap((m) => {
      const document = session.document(m.ref)
      return document?.format === 'level5.wgt' ? skinOwners(document as WgtDocument) : []
    }),
  )
  const wanted = new Float32Array(bind.length)
  const turn = new Float64Array(16)
  for (const n of after.order) {
    const at = 16 * n
    if (owners.has(n) || same(before.worlds, after.worlds, at) || !invertAffine(turn, 0, before.worlds, at))
      wanted.set(bind.subarray(at, at + 16), at)
    else {
      multiply(turn, 0, bind, at, turn, 0)
      multiply(turn, 0, turn, 0, after.worlds, at)
      wanted.set(turn, at)
    }
  }
  let target = old
  let now = bindWorlds(form, target, after.parents, after.order, after.locals, after.worlds)
  for (const n of after.order) {
    const at = 16 * n
    if (same(now, wanted, at)) continue
    if (at + 16 > target.length)
      throw new FormatError('invalid-edit', say('edit.skeleton.noBindMatrix', { node: n }), {
        file: member.ref,
      })
    if (target === old) target = session.edit<BbpDocument>(member.ref).matrices
    const entry = new Float64Array(16)
    const parent = after.parents[n]
    if (form === 'world' || parent < 0) entry.set(wanted.subarray(at, at + 16))
    else {
      invertAffine(entry, 0, now, 16 * parent)
      multiply(entry, 0, entry, 0, wanted, at)
    }
    for (let c = 0; c < 16; c++)
      if (Math.abs(target[at + c] - entry[c]) > ROUNDING * Math.max(1, Math.abs(entry[c]))) target[at + c] = entry[c]
    now = bindWorlds(form, target, after.parents, after.order, after.locals, after.worlds)
  }
}

function same(a: Float32Array, b: Float32Array, at: number): boolean {
  let size = 1
  for (let c = 0; c < 16; c++) size = Math.max(size, Math.abs(b[at + c]))
  for (let c = 0; c < 16; c++) if (!(Math.abs(a[at + c] - b[at + c]) <= ROUNDING * size)) return false
  return true
}
