/** Archives: their names, fields and faults. */
export const archives = {
  big: {
    label: 'BIG archive',
    bigf: 'BIG archive, BIGF (Generals, Zero Hour, BFME)',
    big4: 'BIG archive, BIG4 (BFME II and later)',
    limits: 'Names of up to {most:number} plain characters; 4 GiB in all',
    isNone: 'this is no BIG archive',
    magics: 'BIGF or BIG4',
    countTooLarge:
      'the archive says it has {count} member, its {size:bytes} cannot hold them | the archive says it has {count} members, its {size:bytes} cannot hold them',
    tableTooLarge: 'the table has {count} bytes, at most {most:number} are read',
    staleSize:
      'the header says {count} byte, the archive has {size:number}; games ignore the field | the header says {count} bytes, the archive has {size:number}; games ignore the field',
    tooLarge: 'a BIG archive cannot be larger than 4 GiB',
    stale: 'stale; games ignore it',
    headerSizeNote: 'the end of the table, or the first offset less one',
    duplicate: '{name} is here {count} times, and the game reads the last (member {last}): the others are not read',
    tailBytes: '{bytes} … ({count} bytes)',
    tailNote: "the writer's own, between table and bodies",
    nameEnds: '{path} does not end within {count} bytes',
  },
  refPack: {
    isNone: 'this is not packed with RefPack',
    tooLarge: 'the packed member says that it has {size:bytes}, at most {most:number} are unpacked',
    impossible:
      'the packed member says that it has {size:bytes}, its {count} packed byte cannot hold them | the packed member says that it has {size:bytes}, its {count} packed bytes cannot hold them',
    cut: 'the packed member ends within its {path}',
    tooMuch: 'the packed member has more than the {size:bytes} that it says',
    tooLittle: 'the packed member ends after {count} of the {size:bytes} that it says',
    before: 'the packed member copies from {back:bytes} back, where only {count} are there',
  },
  memberOutside: "{name} is at {offset} with {size:bytes}, outside the archive's {archive}",
  noMember: 'the archive has no member {i}',
  mix: {
    label: 'MIX archive (Renegade)',
    limits: 'Names of up to {most:number} plain characters, in the order of their checksums; 4 GiB in all',
    headerNeeds: 'the header needs {needed:bytes}, the file has {count}',
    isNone: 'this is no MIX archive of Renegade',
    offsetOutside: '{path} is {offset}, the file has {count} byte | {path} is {offset}, the file has {count} bytes',
    countTooLarge:
      'the table has {count} entry, the file has room for {most:number} | the table has {count} entries, the file has room for {most:number}',
    namesInTable: 'the names stand in the table',
    outside: 'outside {start}..{end}',
    nameCount: '{count} entry has {names} names | {count} entries have {names} names',
    homeless:
      '{count} name has a crc that no entry has; it is given to an entry in order | {count} names have a crc that no entry has; they are given to entries in order',
    tooLarge: 'a MIX archive cannot be larger than 4 GiB',
    noOrder: 'the members of a MIX stand in the order of the checksums of their names: the game searches the table by halves',
    crcTaken: 'another member has the checksum of "{name}": the game finds members by it',
    crcNote: 'of the name in upper case',
  },
} as const
