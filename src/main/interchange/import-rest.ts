/**
 * The rest pose of a glTF onto a model's joints. What was moved is told by where the file's skins have the joints, held
 * against the model's: a tool's own axes for bones, which are whole quarter turns, are no change. The mesh stays where it
 * is, as it does in such a tool.
 */
import { angleBetween } from '../../shared/keys/value.ts'
import { compose, decompose, multiply, multiplyQuat } from '../../shared/scene/matrix.ts'
import { inverse, localOf, rotationOf } from './affine.ts'
import { dot } from './quaternion.ts'
import type { EditSession, SkeletonEditor } from '../formats/editing.ts'
import type { PlacedJoint } from '../../shared/api/types/import.ts'
import type { ExportedRest } from './exported-rest.ts'
import type { BindPlaces } from './gltf-rest.ts'
import { say } from '../../shared/texts/say.ts'

/** Less than this is rounding: parts of the figure's size, degrees. */
const WAY = 1e-4
const TURN = 0.05
/** Turns beside quarter turns up to which a tool's axes are taken for quarter turns. */
const AXES = 0.05

/** Writes through the family's editor; nothing where nothing rests elsewhere. @returns joints that were placed, and in words what was not */
export function importRest(
  session: EditSession,
  editor: SkeletonEditor,
  rest: ExportedRest,
  bind: BindPlaces | undefined,
): { placed: PlacedJoint[]; left: string[] } {
  if (!bind) return { placed: [], left: [say('importedMotion.restUnknown')] }
  const { skeleton } = session.assembled.scene
  const left: string[] = []
  const turns = turnsOf(bind)
  const odd = [...turns.values()].filter(({ degrees }) => degrees > AXES).length
  // axes that follow from the bones' ways: what was turned cannot be told from them
  const axesKnown = odd <= Math.max(1, 0.3 * turns.size)
  if (!axesKnown) left.push(say('importedMotion.restAxes', { count: odd }))
  // places of all joints at rest in the scene, after
  const world = new Float64Array(rest.world)
  const placed: PlacedJoint[] = []
  const step = new Float64Array(16)
  const parts = { t: new Float64Array(3), q: new Float64Array(4), s: new Float64Array(3) }
  const old = { t: new Float64Array(3), q: new Float64Array(4), s: new Float64Array(3) }
  for (let joint = 0; joint < skeleton.count; joint++) {
    const o = 16 * joint
    const parent = skeleton.parents[joint]
    const was = localOf(rest.world, skeleton.parents, joint)
    const own = bind.model.get(joint)
    const there = bind.file.get(joint)
    if (own && there) {
      const wanted = new Float64Array(16)
      const moved = Math.hypot(there[12] - own[12], there[13] - own[13], there[14] - own[14])
      const turn = turns.get(joint)!
      const turned = axesKnown && turn.degrees > TURN
      const place = moved > WAY * bind.size ? there : own
      compose(wanted, 0, place, 12, turned ? turn.rotation : rotationOf(own), 0, [1, 1, 1], 0)
      // world' = K D K^-1 world, with D = wanted own^-1 at bind and K what the skin does at rest
      step.set(inverse(own))
      multiply(step, 0, wanted, 0, step, 0)
      const kept = new Float64Array(16)
      multiply(kept, 0, rest.world, o, rest.inverseBind, o)
      multiply(step, 0, kept, 0, step, 0)
      multiply(step, 0, step, 0, inverse(kept), 0)
      if (moved > WAY * bind.size || turned) multiply(world, o, step, 0, rest.world, o)
    } else if (parent >= 0) multiply(world, o, world, 16 * parent, was, 0)
    decompose(localOf(world, skeleton.parents, joint), 0, parts.t, 0, parts.q, 0, parts.s, 0)
    decompose(was, 0, old.t, 0, old.q, 0, old.s, 0)
    const scale = parent >= 0 ? sizeOf(rest.world, 16 * parent) : 1
    const distance = Math.hypot(parts.t[0] - old.t[0], parts.t[1] - old.t[1], parts.t[2] - old.t[2])
    const degrees = angleBetween(parts.q, 0, old.q, 0)
    const translation = distance * scale > 0.5 * WAY * bind.size ? Array.from(parts.t) : undefined
    const rotation = degrees > 0.5 * TURN ? Array.from(parts.q) : undefined
    if (!translation && !rotation) continue
    if (!editor.place) {
      left.push(say('importedMotion.restNotWritten'))
      break
    }
    editor.place(session, joint, { translation, rotation }, { keepSkin: editor.abilities.keepSkin })
    placed.push({ joint: rest.names[joint], degrees: rotation ? degrees : 0, distance: translation ? distance : 0 })
  }
  return { placed, left }
}

/** Of each joint how it is turned in the file beside the nearest quarter turns, and the turn that it then has in the model's axes. */
function turnsOf(bind: BindPlaces): Map<number, { degrees: number; rotation: Float64Array }> {
  const out = new Map<number, { degrees: number; rotation: Float64Array }>()
  for (const [joint, there] of bind.file) {
    const own = rotationOf(bind.model.get(joint)!)
    const now = rotationOf(there)
    const between = new Float64Array(4)
    multiplyQuat(between, 0, [-own[0], -own[1], -own[2], own[3]], 0, now, 0)
    const axes = QUARTERS.reduce((best, q) => (Math.abs(dot(q, 0, between, 0)) > Math.abs(dot(best, 0, between, 0)) ? q : best))
    const rotation = new Float64Array(4)
    multiplyQuat(rotation, 0, now, 0, [-axes[0], -axes[1], -axes[2], axes[3]], 0)
    out.set(joint, { degrees: angleBetween(rotation, 0, own, 0), rotation })
  }
  return out
}

/** The 24 turns that bring axes upon axes. */
const QUARTERS: readonly (readonly number[])[] = (() => {
  const out: number[][] = []
  const values = [-1, 0, 1]
  for (const x of values)
    for (const y of values)
      for (const z of values)
        for (const w of values) {
          const count = [x, y, z, w].filter((v) => v !== 0).length
          if (count === 3 || count === 0) continue
          const q = [x, y, z, w].map((v) => v / Math.sqrt(count))
          // q and -q are one turn
          if (q.find((v) => v !== 0)! > 0) out.push(q)
        }
  return out
})()

function sizeOf(m: Float64Array, o: number): number {
  return Math.hypot(m[o], m[o + 1], m[o + 2]) || 1
}
