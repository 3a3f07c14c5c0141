/** Archives: their names, fields and faults. */
export const archives = {
  big: {
    label: 'BIG archive',
    bigf: 'BIG archive, BIGF (Generals, Zero Hour, BFME)',
    big4: 'BIG archive, BIG4 (BFME II and later)',
    limits: 'Names of up to {most} plain characters; 4 GiB in all',
    isNone: 'this is no BIG archive',
    magics: 'BIGF or BIG4',
    countTooLarge:
      'the archive says it has {n} member, its {size:bytes} cannot hold them | the archive says it has {n} members, its {size:bytes} cannot hold them',
    tableTooLarge: 'the table has {n} bytes, at most {most} are read',
    staleSize:
      'the header says {n} byte, the archive has {size}; games ignore the field | the header says {n} bytes, the archive has {size}; games ignore the field',
    tooLarge: 'a BIG archive cannot be larger than 4 GiB',
    stale: 'stale; games ignore it',
    headerSizeNote: 'the end of the table, or the first offset less one',
    duplicate: '{name} is here {n} times, and the game reads the last (member {last}): the others are not read',
    tailBytes: '{bytes} … ({n} bytes)',
    tailNote: "the writer's own, between table and bodies",
    nameEnds: '{path} does not end within {n} bytes',
  },
  refPack: {
    isNone: 'this is not packed with RefPack',
    tooLarge: 'the packed member says that it has {size:bytes}, at most {most} are unpacked',
    impossible:
      'the packed member says that it has {size:bytes}, its {n} packed byte cannot hold them | the packed member says that it has {size:bytes}, its {n} packed bytes cannot hold them',
    cut: 'the packed member ends within its {path}',
    tooMuch: 'the packed member has more than the {size:bytes} that it says',
    tooLittle: 'the packed member ends after {n} of the {size:bytes} that it says',
    before: 'the packed member copies from {back:bytes} back, where only {n} are there',
  },
  memberOutside: "{name} is at {offset} with {size:bytes}, outside the archive's {archive}",
  noMember: 'the archive has no member {i}',
  mix: {
    label: 'MIX archive (Renegade)',
    limits: 'Names of up to {most} plain characters, in the order of their checksums; 4 GiB in all',
    headerNeeds: 'the header needs {needed:bytes}, the file has {n}',
    isNone: 'this is no MIX archive of Renegade',
    offsetOutside: '{path} is {offset}, the file has {n} byte | {path} is {offset}, the file has {n} bytes',
    countTooLarge: 'the table has {n} entry, the file has room for {most} | the table has {n} entries, the file has room for {most}',
    namesInTable: 'the names stand in the table',
    outside: 'outside {start}..{end}',
    nameCount: '{n} entry has {names} names | {n} entries have {names} names',
    homeless:
      '{count} name has a crc that no entry has; it is given to an entry in order | {count} names have a crc that no entry has; they are given to entries in order',
    tooLarge: 'a MIX archive cannot be larger than 4 GiB',
    noOrder: 'the members of a MIX stand in the order of the checksums of their names: the game searches the table by halves',
    crcTaken: 'another member has the checksum of "{name}": the game finds members by it',
    crcNote: 'of the name in upper case',
  },
} as const
