/** Commands for the fields of one file. */
import { answer, command, required, text, SAVE } from '../command.ts'

const FILE = required(text('file', 'commandLine.field.file'))
const PATH = required(text('field', 'commandLine.field.path'))

export const fieldCommands = [
  command({
    name: ['field', 'list'],
    help: 'commandLine.field.list.help',
    arguments: { file: FILE },
    options: { filter: text('text', 'commandLine.field.list.filter') },
    async run({ file, filter }, { models }) {
      const { fieldsText, listFields } = await import('../field.ts')
      return answer(await listFields(await models(), file, filter), fieldsText)
    },
  }),
  command({
    name: ['field', 'get'],
    help: 'commandLine.field.get.help',
    arguments: { file: FILE, path: PATH },
    async run({ file, path }, { models }) {
      const { fieldText, getField } = await import('../field.ts')
      return answer(await getField(await models(), file, path), fieldText)
    },
  }),
  command({
    name: ['field', 'set'],
    help: 'commandLine.field.set.help',
    arguments: { file: FILE, path: PATH, value: required(text('value', 'commandLine.field.set.value')) },
    options: SAVE,
    async run({ file, path, value, replaceReadOnly }, { models }) {
      const { fieldSetText, setField } = await import('../field.ts')
      return answer(await setField(await models(), file, path, value, { replaceReadOnly }), fieldSetText)
    },
  }),
]
