/** The command that writes the sample library: something to try the others on without a game. */
import { resolve } from 'node:path'
import { FormatError } from '../../binary/format-error.ts'
import { say } from '../../../shared/texts/say.ts'
import { answer, command, required, text } from '../command.ts'

export const sampleCommand = command({
  name: ['sample'],
  help: 'commandLine.sample.help',
  arguments: { folder: required(text('folder', 'commandLine.sample.folder')) },
  options: {},
  async run({ folder }) {
    const [{ sampleFiles, takesSample, writeSample }, { ioError }] = await Promise.all([
      import('../../sample/write-sample.ts'),
      import('../../files/sources.ts'),
    ])
    const target = resolve(folder)
    const files = sampleFiles()
    try {
      if (!(await takesSample(target))) throw new FormatError('refused', say('commandLine.sample.inTheWay'), { file: target })
      await writeSample(target, () => files)
    } catch (error) {
      throw ioError(error, target)
    }
    const report = { folder: target, files: files.map(({ path }) => path) }
    return answer(report, ({ files, folder }) => `${say('commandLine.sample.written', { n: files.length, folder })}\n`)
  },
})
