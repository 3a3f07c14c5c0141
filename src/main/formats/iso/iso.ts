/** Images of discs as archives that are only read. What a game's own archives hold is reached through them: `game.iso!DATA.DAT!x`. */
import { FormatError } from '../../binary/format-error.ts'
import { field, node, nodesOf } from '../../binary/structure.ts'
import { COMMON_FAMILY } from '../../../shared/api/types/family.ts'
import { extensionOf } from '../../../shared/ref.ts'
import { say } from '../../../shared/texts/say.ts'
import { Diagnostics } from '../format.ts'
import { numberTwins } from '../member-names.ts'
import { replaceFiles } from './replace.ts'
import { readVolume, SECTOR } from './volume.ts'
import type { ArchiveFormat, ArchiveIndex } from '../archive.ts'
import type { IsoFile, Volume } from './volume.ts'

interface IsoIndex extends ArchiveIndex {
  readonly format: 'common.iso'
  readonly members: readonly IsoFile[]
  volume: Volume
  /** bytes of the whole image */
  fileSize: number
}

const MOST_TOLD = 100

export const iso: ArchiveFormat<IsoIndex> = {
  id: 'common.iso',
  get label() {
    return say('formats.iso.label')
  },
  family: COMMON_FAMILY,
  extensions: ['iso'],
  get readOnly() {
    return say('formats.iso.readOnly')
  },

  // the descriptor stands behind what is given here: whether there is one, opening says
  identify: (_head, name, size) => (extensionOf(name) === 'iso' && size > 0 ? 0.6 : 0),

  open(source) {
    const diagnostics = new Diagnostics(source.ref)
    let told = 0
    const volume = readVolume(source, (code, message, path, at) => {
      if (told++ < MOST_TOLD) diagnostics.add('error', code, message, path, at)
    })
    numberTwins(volume.files, diagnostics, 'iso.duplicate', (i) => [`files[${i}].name`, volume.files[i].at])
    return { format: 'common.iso', ref: source.ref, diagnostics: diagnostics.list, members: volume.files, volume, fileSize: source.size }
  },

  encode: ({ fileSize }) => [{ kind: 'copy', offset: 0, length: fileSize }],

  replace({ ref }) {
    throw new FormatError('read-only', say('formats.iso.readOnly'), { file: ref })
  },

  replaceFiles: ({ volume, fileSize, ref }, files) => replaceFiles(volume, files, fileSize, ref),

  describe({ volume: { at, name, blockSize, blocks, files }, fileSize }, only) {
    const records = nodesOf(files, only, (file, i) =>
      node(
        `files[${i}]`,
        say('formats.nodes.file'),
        { start: file.at, end: file.at + 33 + file.rawName.length },
        [
          field('extent', 'u32', file.at + 2, 4, file.offset / blockSize),
          field('size', 'u32', file.at + 10, 4, file.size),
          field('name', `char[${file.rawName.length}]`, file.at + 33, file.rawName.length, file.name),
        ],
        [],
        { summary: file.name },
      ),
    )
    const descriptor = node('volume', 'ISO9660', { start: at, end: at + SECTOR }, [
      field('name', 'char[32]', at + 40, 32, name),
      field('blocks', 'u32', at + 80, 4, blocks),
      field('blockSize', 'u16', at + 128, 2, blockSize),
    ])
    return node('', 'ISO9660', { start: 0, end: fileSize }, [], [descriptor, ...records])
  },
}
