/** A line to services that can be made to fail: whatever runs at its other end is ended as it stands. */
import { readdirSync, statSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { isTemporaryName } from '../../src/shared/temporary-name.ts'
import { baseName } from '../../src/shared/ref.ts'
import { held } from './held.ts'
import type { ServicesLine } from '../../src/main/hosts/backend/protocol.ts'

export interface FailingLine extends ServicesLine {
  /** @param folder what is being written there comes to its end first: a file that a thread has open when it ends stays open in the process */
  fail(why: string, folder: string): Promise<void>
}

/** ms without anything being written that count as its end: a folder is flushed right behind the rename in it */
const QUIET = 200

async function written(folder: string): Promise<void> {
  const busy = (): boolean =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).some((name) => isTemporaryName(baseName(name))) || opens(folder)
  for (let quiet = 0; quiet < QUIET; quiet = busy() ? 0 : quiet + 20) await setTimeout(20)
}

/** Whether a folder is open in this process, which a journal or a database never is. */
const opens = (folder: string): boolean =>
  held().some((line) => line.startsWith(`file ${folder}`) && statSync(line.slice('file '.length), { throwIfNoEntry: false })?.isDirectory())

export function failing(line: ServicesLine): FailingLine {
  let told: (why: string) => void = () => {}
  return {
    send: (message, transfer) => line.send(message, transfer),
    listen(message, ended) {
      told = ended
      line.listen(message, ended)
    },
    end: () => line.end(),
    async fail(why, folder) {
      await written(folder)
      await line.end()
      told(why)
    },
  }
}
