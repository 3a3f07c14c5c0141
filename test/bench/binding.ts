/** Models and animations of one skeleton, copied: binding that many, and against half as many. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { oneSkeleton, type Crowded } from './mixed-library.ts'
import { atMost, type Row } from './measure.ts'
import { FileStore } from '../../src/main/files/store.ts'
import { openDatabase } from '../../src/main/library/database.ts'
import { indexFolder } from '../../src/main/library/indexer.ts'

const MEMBERS = [2500, 5000, 10_000, 20_000]
/** for the most of them */
const ALLOWED = 2000

const cpu = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Of a folder with one archive of that many members. */
function bindTime(members: number, family: Crowded): { ms: number; mb: number } {
  const root = mkdtempSync(join(tmpdir(), 'marrow-bench-'))
  const store = new FileStore()
  const db = openDatabase(join(root, 'index.db'))
  try {
    mkdirSync(join(root, 'game'))
    writeFileSync(join(root, 'game', family === 'w3d' ? 'Units.big' : 'Units.img'), oneSkeleton(members, family))
    let began = 0
    let phase = ''
    let ms = 0
    indexFolder(db, store, join(root, 'game'), {
      onProgress(progress) {
        if (progress.phase === phase) return
        // the processor's time: what else the machine does is no part of it
        if (phase === 'bind') ms = cpu() - began
        phase = progress.phase
        began = cpu()
      },
    })
    const mb = (db.pragma('page_count', { simple: true }) as number) * (db.pragma('page_size', { simple: true }) as number)
    return { ms, mb: mb / 1e6 }
  } finally {
    db.close()
    store.close()
    rmSync(root, { recursive: true })
  }
}

function rowsOf(family: Crowded, what: string): Row[] {
  bindTime(100, family)
  const times = MEMBERS.map((members) => bindTime(members, family))
  const most = times.at(-1)!
  return [
    ...MEMBERS.slice(1).map((n, i) => ({
      name: `binding ${n} ${what} of one skeleton`,
      note: `index of ${times[i + 1].mb.toFixed(0)} MB`,
      bytes: 0,
      ms: times[i + 1].ms,
      against: `${MEMBERS[i]} of them`,
      againstMs: times[i].ms,
      aim: 0.4,
    })),
    atMost(`binding ${MEMBERS.at(-1)!} ${what} of one skeleton, time`, most.ms, ALLOWED),
  ]
}

export function bindingRows(): Row[] {
  return [...rowsOf('w3d', 'W3D'), ...rowsOf('renderware', 'models, dictionaries and animations of RenderWare')]
}
