/**
 * Animations of a glTF onto the clips and slices of a model. What the file says is held against what an export of the
 * clip would say (`clip-difference.ts`), and only what somebody changed is written: keys that the game's file has are
 * given new values, and where that is not enough keys are put on the file's own grid. A key that nobody changed keeps its
 * bytes.
 */
import { FormatError } from '../binary/format-error.ts'
import { IMPORT_DEFAULTS, IMPORT_OPTIONS } from '../../shared/api/import-options.ts'
import { jointNames, nameFinder } from '../../shared/scene/animation-names.ts'
import { matchJoints } from '../../shared/scene/joint-map.ts'
import { Baseline, compare, sampledStep } from './clip-difference.ts'
import { jointChannels } from './clip-window.ts'
import { EarlierFile } from './earlier-file.ts'
import { exportedRest } from './exported-rest.ts'
import { matchRest } from './gltf-rest.ts'
import { checkedMap, matchNodes, planJobs } from './import-names.ts'
import { timingOf } from './import-timing.ts'
import { channelsByNode, JointMotion, PATHS } from './joint-motion.ts'
import { tracksFor, trackEdit } from './track-edit.ts'
import type { ClipEditor, EditSession } from '../formats/editing.ts'
import type { ImportSettings } from '../../shared/api/import-options.ts'
import type { KeyEdit } from '../../shared/api/types/clips.ts'
import type { ImportedAnimation, ImportReport, JointProposal } from '../../shared/api/types/import.ts'
import type { Scene } from '../../shared/scene/types.ts'
import type { PartChange, Tolerance } from './clip-difference.ts'
import type { GltfAnimation, GltfFile } from './gltf-reader.ts'
import type { Job, WindowChoice } from './import-names.ts'
import type { Stepwise } from '../../shared/stepwise.ts'
import { say } from '../../shared/texts/say.ts'

export interface ImportChoice extends WindowChoice, Partial<Pick<ImportSettings, 'timing' | 'tolerance'>> {
  /** names of the joints that are taken, as an export has them; all when absent */
  joints?: readonly string[]
  /** nodes of the glTF whose joint has another name; '' leaves a node out. The others are matched by name */
  map?: Readonly<Record<string, string>>
  /** what came onto the model last: where the file says the same as this one, what the model has by now stays */
  earlier?: GltfFile
}

/** What an import did to one window: what `measureImport` compares. */
export interface ImportedWindow extends Job {
  changes: PartChange[]
}

export interface Imported {
  report: ImportReport
  windows: ImportedWindow[]
  /** the model before */
  before: Scene
}

/** A window and what differs in it. */
interface ComparedWindow extends Job {
  done: ImportedAnimation
  baseline: Baseline
  parts: PartChange[]
  /** the file moves something in it */
  moves: boolean
  /** seconds at which the animation ends in the window, and between two of its samples */
  to: number
  step: number | undefined
}

/** What a file has that a model has not, with nothing of it written. */
export interface Compared {
  /** the model that it was held against */
  before: Scene
  report: ImportReport
  windows: ComparedWindow[]
  /** node of the file for each joint that has one */
  nodeOf: ReadonlyMap<number, number>
  timing: ImportChoice['timing']
}

/**
 * Holds a file against a model.
 * @throws FormatError invalid-argument where no animation has a place, not-found
 */
export function* compareAnimations(scene: Scene, file: GltfFile, choice: ImportChoice): Stepwise<Compared> {
  const plan = planJobs(scene, file, choice)
  const rest = exportedRest(scene)
  const nodes = matchNodes(scene, rest, file, checkedMap(scene, choice.map ?? {}))
  const match = matchRest(scene, rest, file, nodes.nodeOf)
  const earlier = choice.earlier && EarlierFile.read(scene, rest, choice.earlier, choice)
  const tolerance = toleranceOf(scene, rest.world, choice.tolerance)
  const left = new Set([...file.left, ...nodes.left, ...plan.left])
  const { names } = rest
  const chosen = choice.joints && new Set(choice.joints.map(nameFinder(names)))
  const elsewhere = [...match.sources].filter(([, source]) => source.turnsOnly).map(([joint]) => joint)
  if (elsewhere.length > 0)
    left.add(
      say('importedMotion.restElsewhere', {
        count: elsewhere.length,
        joint: names[match.moved[0].joint],
        distance: Number(match.moved[0].distance.toPrecision(3)),
      }),
    )
  const assumed = [...plan.assumed, ...nodes.assumed]
  if (match.rehung.length > 0)
    assumed.push(say('importedMotion.hangElsewhere', { count: match.rehung.length, joint: names[match.rehung[0]] }))
  const windows: ComparedWindow[] = []
  for (const [number, job] of plan.jobs.entries()) {
    const { animation, window } = job
    const clip = scene.clips[window.clip]
    const length = (window.end - window.start) / window.rate
    if (animation.ignored > 0) left.add(say('importedMotion.otherThings'))
    if (animation.duration > length + 1e-4)
      left.add(
        say('importedMotion.behindWindow', {
          animation: animation.title,
          end: length.toFixed(3),
          length: animation.duration.toFixed(3),
          window: window.name || say('importedMotion.theWindow'),
        }),
      )
    const baseline = new Baseline(
      scene,
      jointChannels(scene, clip, { from: window.start, to: window.end, zero: window.start, unitsPerSecond: window.rate }),
    )
    const said = earlier?.motionsOf(window)
    const step = sampledStep(animation)
    const byNode = channelsByNode(animation)
    const [from, to] = [Math.max(0, animation.start), Math.min(length, animation.duration)]
    const parts: PartChange[] = []
    let joints = 0
    let looked = 0
    for (const [joint, source] of match.sources) {
      yield (number + looked++ / match.sources.size) / plan.jobs.length
      if (chosen && !chosen.has(joint)) continue
      const motion = new JointMotion(file, source, byNode)
      if (motion.times.length === 0) continue
      joints++
      const options = { from, to, sampled: step !== undefined, tolerance, earlier: said?.has(joint) ? said : undefined }
      for (const path of PATHS) if (motion.moves[path]) parts.push(compare(baseline, motion, joint, path, options))
    }
    const done: ImportedAnimation = {
      animation: animation.title,
      into: window.kind,
      index: window.index,
      name: window.name,
      joints,
      tracksAdded: 0,
      keysChanged: 0,
      keysInserted: 0,
      degrees: 0,
      distance: 0,
      rounding: roundingOf(parts),
      moved: [],
      timing: timingOf(baseline, parts, clip, window, step),
    }
    if (said) {
      const jointsOf = (which: (part: PartChange) => boolean): string[] => [
        ...new Set(parts.filter(which).map(({ joint }) => names[joint])),
      ]
      done.kept = jointsOf(({ kept }) => kept)
      done.both = jointsOf(({ both }) => both)
    }
    windows.push({ ...job, done, baseline, parts, moves: byNode.size > 0, to, step })
  }
  return {
    before: scene,
    report: {
      imported: windows.map(({ done }) => done),
      unmatched: nodes.unmatched,
      unused: plan.unused,
      assumed,
      rest: {
        turned: match.turned,
        degrees: match.degrees,
        moved: match.moved.map(({ joint, distance }) => ({ joint: names[joint], distance })),
      },
      left: [...left],
    },
    windows,
    nodeOf: nodes.nodeOf,
    timing: choice.timing,
  }
}

/**
 * Writes what differs through the editor of the family's clips.
 * @param compared of the model as it is in this session
 * @returns what was done, errors still unknown: `measureImport` tells them once the model is assembled again
 */
export function writeAnimations(session: EditSession, editor: ClipEditor, compared: Compared): Imported {
  const { before, report, nodeOf } = compared
  const left = new Set(report.left)
  const windows = compared.windows.map(({ done, baseline, parts, moves, to, step, ...job }): ImportedWindow => {
    const { animation, window } = job
    // where file and clip have one grid (no `timing`), taking and keeping give the same keys
    const taking = compared.timing === 'take' && done.timing !== undefined
    const wanted = taking
      ? parts.flatMap((part): PartChange[] => (part.news ? [{ ...part, changed: part.changed.map(() => 1), taken: true }] : []))
      : parts.filter((part) => part.any)
    const context = { session, editor, window, baseline }
    const add = tracksFor(context, wanted)
    done.tracksAdded = add.added
    add.left.forEach((what) => left.add(what))
    const edits: KeyEdit[] = []
    let behind = 0
    for (const track of editor.tracks(session, window.clip)) {
      const change = wanted.find((part) => part.joint === track.joint && part.path === track.property)
      const ends = window.start + (to + (step ?? 0)) * window.rate
      if (moves && nodeOf.has(track.joint))
        for (const time of track.times) if (time > ends + 1e-4 * window.rate && time <= window.end + 1e-4 * window.rate) behind++
      if (!change) continue
      if (track.limits.readOnly) {
        left.add(say('importedMotion.trackReadOnly', { joint: track.target, track: track.label, why: track.limits.readOnly }))
        continue
      }
      const edit = trackEdit(context, track, change)
      if (!edit) continue
      done.keysChanged += edit.set?.keys.length ?? 0
      done.keysInserted += edit.insert?.times.length ?? 0
      edits.push(edit)
    }
    if (behind > 0) {
      const length = ((window.end - window.start) / window.rate).toFixed(3)
      left.add(say('importedMotion.keysBehind', { animation: animation.title, end: to.toFixed(3), length, count: behind }))
    }
    if (edits.length > 0) editor.editKeys(session, edits)
    return { ...job, changes: wanted }
  })
  return { report: { ...report, left: [...left] }, windows, before }
}

function toleranceOf(scene: Scene, world: Float64Array, degrees = IMPORT_DEFAULTS.tolerance): Tolerance {
  const { least: lowest, most: highest } = IMPORT_OPTIONS.tolerance
  if (!(degrees >= lowest && degrees <= highest)) throw new FormatError('invalid-argument', say('importedMotion.tolerance', { degrees }))
  let [least, most] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ]
  const add = (values: ArrayLike<number>, o: number): void => {
    least = least.map((value, c) => Math.min(value, values[o + c]))
    most = most.map((value, c) => Math.max(value, values[o + c]))
  }
  for (let i = 0; i < scene.skeleton.count; i++) add(world, 16 * i + 12)
  const size = Math.max(...most.map((value, c) => value - least[c]))
  // one joint alone has no size: its meshes have
  if (!(size > 0)) for (const { positions } of scene.meshes) for (let i = 0; i + 2 < positions.length; i += 3) add(positions, i)
  const extent = Math.max(...most.map((value, c) => value - least[c]))
  return { degrees, distance: (Number.isFinite(extent) && extent > 0 ? extent : 1) * degrees * 1e-3, scale: degrees * 5e-3 }
}

function roundingOf(parts: readonly PartChange[]): { degrees: number; distance: number } {
  const most = (path: PartChange['path']): number => parts.reduce((m, part) => (part.path === path ? Math.max(m, part.rounding) : m), 0)
  return { degrees: most('rotation'), distance: most('translation') }
}

/** Titles of the nodes that the animations of a file move. */
export function nodesOf(animations: readonly GltfAnimation[]): string[] {
  return [...new Set(animations.flatMap(({ channels }) => channels.map(({ node }) => node)))]
}

/** Nodes that the animations of a file move, and which joints of a skeleton they are taken for, under names that no two share. */
export function proposeMap(
  animations: readonly GltfAnimation[],
  skeleton: Pick<Scene['skeleton'], 'names' | 'parents' | 'roles'>,
): JointProposal[] {
  const above = new Map<string, string>()
  for (const { channels } of animations) for (const { node, parent } of channels) if (!above.has(node)) above.set(node, parent)
  const nodes = [...above.keys()]
  const numbers = new Map(nodes.map((node, i) => [node, i]))
  const names = jointNames(skeleton)
  const matches = matchJoints(
    { names: nodes, parents: nodes.map((node) => numbers.get(above.get(node)!) ?? -1) },
    { ...skeleton, names, others: new Set(skeleton.roles?.flatMap((role, i) => (role === 'mesh' || role === 'hidden' ? [i] : []))) },
  )
  return matches.map(({ joint, why }, i) => ({ node: nodes[i], joint: names[joint] ?? '', why }))
}
