/** The sample library, drawn and coded once in a run: that takes longer than most of what tests do with it. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { inject } from 'vitest'
import { sampleFiles as makeSample, writeSample } from '../../src/main/sample/write-sample.ts'
import type { SampleFile } from '../../src/main/sample/write-sample.ts'

const made = join(inject('runFolder'), 'sample')

/** All files of it, in its order; the caller's own. */
export function sampleFiles(): SampleFile[] {
  if (!existsSync(made)) {
    const fresh = `${made}.${process.pid}`
    writeFileSync(fresh, serialize(makeSample()))
    // two that made it at once made the same
    renameSync(fresh, made)
  }
  // what is read shares one buffer, which a test may send away
  return (deserialize(readFileSync(made)) as SampleFile[]).map(({ path, bytes }) => ({ path, bytes: bytes.slice() }))
}

/** In the state folder of services, where they look for it: `library.openSample` then only opens it. */
export async function putSample(state: string): Promise<void> {
  await writeSample(join(state, 'sample'), sampleFiles)
}
