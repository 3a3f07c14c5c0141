/** The tables of a MIX: their records, and an archive that is written anew. */
import { FormatError } from '../../../binary/format-error.ts'
import { structural } from '../../../binary/field-use.ts'
import { flags32, magic, record, u32, type ValueOf } from '../../../binary/layout.ts'
import { Writer } from '../../../binary/writer.ts'
import { say } from '../texts/index.ts'
import { closedUp, expectNames, MOST_U32, plainName, refuseName } from '../../archive-edit.ts'
import type { NewMember } from '../../archive-edit.ts'
import type { ArchiveParts, Segment } from '../../archive.ts'
import type { MixIndex } from './mix.ts'

const AT = structural(u32, 'members')
export const HEADER = record({ magic: magic('MIX1', () => say('archives.mix.isNone')), tableOffset: AT, namesOffset: AT })
export const ENTRY = record(
  { crc: structural(flags32, 'name'), offset: structural(u32, 'body'), size: structural(u32, 'body') },
  { notes: { crc: () => say('archives.mix.crcNote') } },
)
/** with its length and its NUL */
export const LONGEST_NAME = 256

/** CRC-32 of a name in upper case, as the game computes it. */
export function nameCrc(name: Uint8Array): number {
  let crc = 0xffffffff
  for (const c of name) {
    crc ^= c >= 0x61 && c <= 0x7a ? c - 0x20 : c
    for (let k = 0; k < 8; k++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return ~crc >>> 0
}

/** Bodies one behind the other, then the table and the names, as the game's tools write them. */
export function rebuilt({
  ref,
  members,
  crcs,
  names,
  nameCount,
  fileSize,
}: Pick<MixIndex, 'ref' | 'members' | 'crcs' | 'names' | 'nameCount' | 'fileSize'>): ArchiveParts {
  const { places, segments, end } = closedUp({ ref, members }, fileSize, HEADER.size)
  const table = tableBytes(members.map(({ size }, i) => ({ crc: crcs[i], offset: places[i], size })))
  const list = nameBytes(nameCount, names)
  if (end + table.length + list.length > MOST_U32) throw new FormatError('invalid-edit', say('archives.mix.tooLarge'), { file: ref })
  const head = HEADER.encode({ tableOffset: end, namesOffset: end + table.length })
  const typed = (bytes: Uint8Array): Segment => ({ kind: 'bytes', bytes, as: 'typed' })
  return { data: [typed(head), ...segments, typed(table), typed(list)] }
}

export function makeAnew(list: readonly NewMember[], ref: string): ArchiveParts {
  expectNames(
    { members: [], ref },
    list.map(({ name }) => name),
  )
  const all = list.map((member) => {
    const name = plainName({ ref }, member.name, LONGEST_NAME - 2)
    return { ...member, crc: nameCrc(name), rawName: Uint8Array.of(...name, 0), duplicate: 0 }
  })
  // the game searches the table by halves
  all.sort((a, b) => a.crc - b.crc)
  const twin = all.find(({ crc }, i) => i > 0 && all[i - 1].crc === crc)
  if (twin) refuseName({ ref }, twin.name, say('archives.mix.crcTaken', { name: twin.name }))
  const names = all.map(({ rawName }) => rawName)
  return rebuilt({ ref, members: all, crcs: Uint32Array.from(all, ({ crc }) => crc), names, nameCount: names.length, fileSize: Infinity })
}

export function tableBytes(entries: readonly ValueOf<typeof ENTRY>[]): Uint8Array {
  const table = new Writer(4 + ENTRY.size * entries.length)
  table.u32(entries.length)
  for (const entry of entries) ENTRY.write(table, entry)
  return table.finish()
}

export function nameBytes(count: number, list: readonly Uint8Array[]): Uint8Array {
  const names = new Writer(1024)
  names.u32(count)
  for (const name of list) {
    names.u8(name.length)
    names.raw(name)
  }
  return names.finish()
}
