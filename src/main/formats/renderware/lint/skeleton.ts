/** Frames of a clump, and the table of bones that a ped needs. */
import { stampVersion, versionText } from '../codecs/chunk-ids.ts'
import { valueOf } from '../codecs/chunk.ts'
import { FRAME_WORDS } from '../codecs/frame-list.ts'
import { HANIM, hanim, nodeParents } from '../codecs/hanim.ts'
import { MOST_FRAME_NAME, nodeName } from '../codecs/texture.ts'
import { nodeFlags } from '../scene/clump-joints.ts'
import { fix } from '../../lint.ts'
import { chunkAt, clumpFix, eachClump, leafFix, listed, skinsOf, SAN_ANDREAS } from './lookup.ts'
import { say } from '../texts/index.ts'
import type { Severity } from '../../../../shared/api/errors.ts'
import type { ClumpView } from '../codecs/model.ts'

export const FIX = {
  trimName: fix(
    'renderware.trim-name',
    () => say('lint.fixes.trimName'),
    (document, diagnostic) => {
      const value = valueOf(chunkAt(document, diagnostic.path), nodeName)
      if (!value) return
      const end = value.bytes.indexOf(0)
      if (end >= 0) value.bytes = value.bytes.slice(0, end)
    },
  ),
  version: fix(
    'renderware.hanim-version',
    () => say('lint.fixes.version'),
    leafFix(hanim, (value) => {
      value.version = 0x100
    }),
  ),
  clearNoMatrices: fix(
    'renderware.clear-no-matrices',
    () => say('lint.fixes.clearNoMatrices'),
    leafFix(hanim, (value) => {
      if (value.table) value.table.flags &= ~HANIM.noMatrices
    }),
  ),
  keySize: fix(
    'renderware.key-size',
    () => say('lint.fixes.keySize'),
    leafFix(hanim, (value) => {
      if (value.table) value.table.maxKeyFrameSize = 36
    }),
  ),
  skinnedLast: fix(
    'renderware.skinned-last',
    () => say('lint.fixes.skinnedLast'),
    clumpFix((clump) => {
      const skinned = clump.atomics.filter((a) => clump.geometries[a.geometry]?.skin ?? a.legacySkin)
      const chunk = skinned[skinned.length - 1]?.chunk
      const children = clump.chunk.children!
      if (!chunk) return
      children.splice(children.indexOf(chunk), 1)
      const last = clump.atomics.map((a) => children.indexOf(a.chunk)).reduce((a, b) => Math.max(a, b), -1)
      children.splice(last + 1, 0, chunk)
    }),
  ),
  oneTable: fix(
    'renderware.one-table',
    () => say('lint.fixes.oneTable'),
    clumpFix((clump) => {
      for (const { hanim: own } of clump.frames.filter((f) => f.hanim?.table).slice(1)) {
        own!.numNodes = 0
        delete own!.table
      }
    }),
  ),
  nodeOrder: fix(
    'renderware.node-order',
    () => say('lint.fixes.nodeOrder'),
    leafFix(hanim, (value) => {
      for (let i = 0; i < value.numNodes; i++) value.table!.nodes[3 * i + 1] = i
    }),
  ),
  pushPop: fix(
    'renderware.push-pop',
    () => say('lint.fixes.pushPop'),
    clumpFix((clump) => {
      const flags = nodeFlags(clump)
      const table = clump.frames[clump.tableFrame]?.hanim?.table
      if (!flags || !table) return
      for (let i = 0; i < flags.length; i++) table.nodes[3 * i + 2] = (table.nodes[3 * i + 2] & ~(HANIM.push | HANIM.pop)) | flags[i]
    }),
  ),
}

/** Node numbers that the game looks up on every ped; vanilla's cutscene figures lack 6 to 8, which are asked for under conditions. */
const ALWAYS_USED = [0, 1, 2, 3, 4, 5, 21, 22, 23, 24, 31, 32, 33, 34, 41, 42, 43, 51, 52, 53]

/** Looked up with faces, rain, bicycles and fingers. */
const AT_TIMES_USED = [6, 7, 8, 25, 26, 35, 36, 44, 54, 201, 301, 302]
/** 3.6.0.3 */
const NEWEST = 0x36003
const MOST_DEEP = 31
const MOST_NODES = 256
const MTA_BONES = 32

/** How many pushes are open at once at most. */
function deepest(nodes: Int32Array): number {
  let depth = 0
  let most = 0
  for (let i = 2; i < nodes.length; i += 3) {
    if (nodes[i] & HANIM.push) depth++
    most = Math.max(most, depth)
    if (nodes[i] & HANIM.pop) depth--
  }
  return most
}

/** One root, parents before their children, names and versions that the game can keep. */
export const frames = eachClump(({ clump, path, offset, report }) => {
  if (stampVersion(clump.chunk.stamp) > NEWEST)
    report.say('stamp-newer', say('lint.stampNewer', { version: versionText(clump.chunk.stamp) }), path(clump.chunk), offset(clump.chunk))
  let badParents = 0
  let roots = 0
  for (let i = 0; i < clump.frames.length; i++) {
    const parent = clump.frameList!.ints[FRAME_WORDS * i + 12]
    if (parent < 0) roots++
    else if (parent >= i && badParents++ === 0)
      report.say(
        'frame-parent',
        say('lint.frameParent', { frame: i, parent }),
        `${path(clump.frameListChunk)}.struct.frames[${i}].parent`,
        offset(clump.frameListChunk),
      )
  }
  if (clump.frames.length && roots !== 1)
    report.say(
      'frame-roots',
      say('lint.frameRoots', { count: roots }),
      `${path(clump.frameListChunk)}.struct`,
      offset(clump.frameListChunk),
    )
  let behind = 0
  for (const frame of clump.frames) {
    const bytes = valueOf(frame.nameChunk, nodeName)?.bytes
    if (bytes && bytes.length > MOST_FRAME_NAME) {
      const trims = bytes.indexOf(0) >= 0 && bytes.indexOf(0) <= MOST_FRAME_NAME
      report.say(
        'node-name-length',
        say('lint.nodeNameLength', { frame: frame.index, count: bytes.length }),
        path(frame.nameChunk),
        offset(frame.nameChunk),
        ...(trims ? [FIX.trimName] : []),
      )
    }
    const children = frame.extension?.children ?? []
    if (frame.hanimChunk && frame.nameChunk && children.indexOf(frame.nameChunk) < children.indexOf(frame.hanimChunk) && ++behind === 1)
      report.say('hanim-behind-name', say('lint.hanimBehindName', { frame: frame.index }), path(frame.nameChunk), offset(frame.nameChunk))
    if (frame.hanim && frame.hanim.version !== 0x100)
      report.say(
        'hanim-version',
        say('lint.hanimVersion', { hex: (frame.hanim.version >>> 0).toString(16) }),
        path(frame.hanimChunk),
        offset(frame.hanimChunk),
        FIX.version,
      )
  }
})

/** What the game does with a ped; files of earlier games break these rules and are fine there. */
export const peds = eachClump(({ clump, path, offset, report }) => {
  if (clump.atomics.length === 0 && clump.tableFrame >= 0)
    report.say('no-atomic', say('lint.noAtomic'), path(clump.chunk), offset(clump.chunk))
  const skinned = skinsOf(clump)
  if (!skinned.some(Boolean)) return
  const sanAndreas = stampVersion(clump.chunk.stamp) >= SAN_ANDREAS
  const crash: Severity = sanAndreas ? 'error' : 'warning'
  const last = clump.atomics[clump.atomics.length - 1]
  if (last && !skinned[skinned.length - 1])
    // III's own figures are so; mods of San Andreas are stamped as earlier games' at times, so it is said of those too
    report.as(
      sanAndreas ? 'error' : 'info',
      'last-atomic-unskinned',
      say(sanAndreas ? 'lint.lastAtomicUnskinned' : 'lint.lastAtomicUnskinnedEarlier'),
      path(last.chunk),
      offset(last.chunk),
      FIX.skinnedLast,
    )
  const tables = clump.frames.filter((f) => f.hanim?.table)
  if (tables.length === 0) {
    report.as(crash, 'no-hanim-table', say('lint.noTable'), path(clump.frameListChunk), offset(clump.frameListChunk))
    return
  }
  if (tables.length > 1)
    report.say(
      'several-tables',
      say('lint.severalTables', { frames: tables.map((f) => f.index).join(', ') }),
      path(tables[1].hanimChunk),
      offset(tables[1].hanimChunk),
      FIX.oneTable,
    )
  const frame = tables[0]
  const table = frame.hanim!.table!
  const where = path(frame.hanimChunk)
  const at = offset(frame.hanimChunk)
  if (frame.parent < 0) report.say('table-on-root', say('lint.tableOnRoot'), where, at)
  if (table.flags & HANIM.noMatrices) report.say('hanim-no-matrices', say('lint.noMatrices'), `${where}.flags`, at, FIX.clearNoMatrices)
  if (table.maxKeyFrameSize < 28)
    report.say('hanim-key-size', say('lint.hanimKeySize', { count: table.maxKeyFrameSize }), `${where}.maxKeyFrameSize`, at, FIX.keySize)
  const { underflows, left } = nodeParents(table)
  if (underflows || left)
    report.say(
      'push-pop',
      underflows ? say('lint.popsMore', { count: underflows }) : say('lint.pushesMore', { count: left }),
      `${where}.nodes`,
      at,
      ...(framesTell(clump) ? [FIX.pushPop] : []),
    )
  const seen = new Set<number>()
  const twice = new Set<number>()
  for (const node of clump.nodes) (seen.has(node.id) ? twice : seen).add(node.id)
  if (twice.size) report.say('duplicate-node', say('lint.duplicateNode', { ids: [...twice].join(', ') }), `${where}.nodes`, at)
  for (let i = 0; i < clump.nodes.length; i++) {
    if (table.nodes[3 * i + 1] === i) continue
    report.say('node-order', say('lint.nodeOrder', { i, index: table.nodes[3 * i + 1] }), `${where}.nodes[${i}].index`, at, FIX.nodeOrder)
    break
  }
  const homeless = clump.nodes.filter((_, i) => clump.frameOfNode[i] < 0)
  if (homeless.length)
    report.say('node-without-frame', say('lint.nodeWithoutFrame', { ids: listed(homeless.map((n) => n.id)) }), `${where}.nodes`, at)
  const depth = deepest(table.nodes)
  if (depth > MOST_DEEP) report.say('push-depth', say('lint.pushDepth', { count: depth }), `${where}.nodes`, at)
  if (clump.nodes.length > MOST_NODES)
    report.say('too-many-nodes', say('lint.tooManyNodes', { count: clump.nodes.length }), `${where}.nodes`, at)
  else if (clump.nodes.length > MTA_BONES)
    report.say('many-bones', say('lint.manyBones', { count: clump.nodes.length }), `${where}.nodes`, at)
  const missing = ALWAYS_USED.filter((id) => !seen.has(id))
  if (missing.length && missing.length <= 8)
    report.say('missing-nodes', say('lint.missingNodes', { ids: listed(missing) }), `${where}.nodes`, at)
  const atTimes = AT_TIMES_USED.filter((id) => !seen.has(id))
  // a figure that lacks most of them is another one's: a hand, an animal
  if (missing.length === 0 && atTimes.length)
    report.say('missing-nodes-at-times', say('lint.missingNodesAtTimes', { ids: listed(atTimes) }), `${where}.nodes`, at)
  clump.atomics.forEach((atomic, a) => {
    const skin = skinned[a]
    if (!skin) return
    const chunk = clump.geometries[atomic.geometry]?.skin ? clump.geometries[atomic.geometry].skinChunk : atomic.skinChunk
    if (skin.numBones !== clump.nodes.length)
      report.say('bone-count', say('lint.boneCount', { bones: skin.numBones, nodes: clump.nodes.length }), path(chunk), offset(chunk))
  })
})

/** Whether every node has a frame, and stands behind its parent in an order that push and pop can say. */
function framesTell(clump: ClumpView): boolean {
  return nodeFlags(clump) !== undefined
}
