/**
 * The product's families in the threads of a scan: the one that writes the index takes its time with each file, so that those that read are given most, and
 * those leave a letter for each in the file that `MARROW_READ` names.
 */
import { appendFileSync } from 'node:fs'
import { families as own } from '../../src/main/formats/registry.ts'
import { reads, waitForReader } from './reading-begun.ts'

const pause = new Int32Array(new SharedArrayBuffer(4))

export const families = own.map((family) => ({
  ...family,
  formats: family.formats.map((format) => ({
    ...format,
    get label() {
      return format.label
    },
    decode(bytes: Uint8Array, ref: string) {
      waitForReader()
      if (reads) appendFileSync(process.env.MARROW_READ!, 'r')
      else Atomics.wait(pause, 0, 0, 1)
      return format.decode(bytes, ref)
    },
  })),
}))
