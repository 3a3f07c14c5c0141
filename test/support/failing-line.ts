/** A line to services that can be made to fail: whatever runs at its other end is ended as it stands. */
import type { ServicesLine } from '../../src/main/hosts/backend/protocol.ts'

export interface FailingLine extends ServicesLine {
  fail(why: string): Promise<void>
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
    async fail(why) {
      await line.end()
      told(why)
    },
  }
}
