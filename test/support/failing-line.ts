/** A line to services that can be made to fail: whatever runs at its other end is ended as it stands. */
import { readdirSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { isTemporaryName } from '../../src/shared/temporary-name.ts'
import { baseName } from '../../src/shared/ref.ts'
import type { ServicesLine } from '../../src/main/hosts/backend/protocol.ts'

export interface FailingLine extends ServicesLine {
  /** @param folder what is being written there comes to its end first: a file that a thread has open when it ends stays open in the process */
  fail(why: string, folder: string): Promise<void>
}

async function written(folder: string): Promise<void> {
  const temporaries = (): string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => isTemporaryName(baseName(name)))
  while (temporaries().length > 0) await setTimeout(20)
}

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
