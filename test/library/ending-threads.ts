/**
 * The fake family in threads that are not equal to each file: one that reads for a scan ends at a file or member with `ends-thread` in its name, as by one
 * that is larger than its memory. The thread that writes the index reads all, and takes its time, so that others are given something.
 */
import { fakeFamily, fakeFormat } from '../files/fake-family.ts'
import { reads, waitForReader } from './reading-begun.ts'

const pause = new Int32Array(new SharedArrayBuffer(4))

export const families = [
  {
    ...fakeFamily,
    formats: [
      {
        ...fakeFormat,
        decode(bytes: Uint8Array, ref: string) {
          waitForReader()
          if (!reads) Atomics.wait(pause, 0, 0, 5)
          else if (ref.includes('ends-thread')) process.exit(1)
          return fakeFormat.decode(bytes, ref)
        },
      },
      ...fakeFamily.formats.filter(({ id }) => id !== fakeFormat.id),
    ],
  },
]
