import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Place } from './session.ts'
import type { World } from './worlds.ts'

/** Writes a world where a session expects it. */
export function layOut(place: Place, world: World): void {
  for (const folder of [place.game, place.state, place.mod, place.out]) mkdirSync(folder, { recursive: true })
  for (const [path, bytes] of Object.entries(world.files)) {
    mkdirSync(dirname(join(place.game, path)), { recursive: true })
    writeFileSync(join(place.game, path), bytes)
  }
}
