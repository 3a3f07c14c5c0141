/** Blender, where it is installed: glTF files opened in it and written again. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A bone that an animator turns about its own X axis at one frame of an animation. */
export interface Turn {
  animation: string
  joint: string
  frame: number
  degrees: number
}

/** A share of all weights on one joint that goes onto another. */
export interface Painted {
  joint: string
  onto: string
  share: number
}

/** A bone that is moved in edit mode by so many units of the armature, upwards, or turned about its own X axis. */
export interface Rested {
  joint: string
  by: number
  degrees: number
}

/** What becomes of names in a scene. */
export interface Called {
  /** times that the file is opened */
  copies?: number
  /** of the armature */
  armature?: string
  /** of NLA tracks: `{armature}`, `{track}`, `{action}` stand for theirs */
  tracks?: string
  /** a copy of each action behind it, on a track of its own */
  again?: boolean
}

export interface Trip {
  sampling: boolean
  /** of the scene in Blender; the job's when absent */
  fps?: number
  turn?: Turn
  weights?: Painted
  rest?: Rested[]
  names?: Called
}

export interface TripJob {
  glb: Uint8Array
  fps: number
  trips: Trip[]
}

/** `MARROW_BLENDER`, or the one that is installed; undefined where there is none. */
export const blender = process.env.MARROW_BLENDER ?? ['/usr/bin/blender', '/snap/bin/blender'].find((path) => existsSync(path))

/** @returns for each job, one file for each of its trips */
export function throughBlender(jobs: readonly TripJob[]): Uint8Array[][] {
  if (!blender) throw new Error('Blender is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'marrow-blender-'))
  try {
    const list = jobs.map(({ glb, fps, trips }, i) => {
      const from = join(folder, `${i}.glb`)
      writeFileSync(from, glb)
      return { from, fps, trips: trips.map((trip, k) => ({ ...trip, to: join(folder, `${i}-${k}.glb`) })) }
    })
    const path = join(folder, 'jobs.json')
    writeFileSync(path, JSON.stringify(list))
    const ran = spawnSync(
      blender,
      ['-b', '--factory-startup', '--python-exit-code', '3', '--python', join(import.meta.dirname, 'trip.py'), '--', path],
      // Debian's Blender wants the system's own Python; its sound keeps files in the home, temporary and runtime folders
      {
        env: { ...process.env, PATH: '/usr/bin:/bin', HOME: folder, TMPDIR: folder, XDG_RUNTIME_DIR: folder },
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
      },
    )
    if (ran.status !== 0 || !ran.stdout.includes('marrow: all trips done'))
      throw new Error(`Blender: ${ran.error?.message ?? ''} ${ran.stdout.slice(-2000)} ${ran.stderr.slice(-2000)}`)
    return list.map(({ trips }) => trips.map(({ to }) => new Uint8Array(readFileSync(to))))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
