/** What archives say of themselves, and what is wrong with them. */
export const archives = {
  recordCut: 'a record needs {needed:bytes}, the file has {left:number}',
  disc: {
    tooLarge: 'a directory of {size:bytes} is none',
    namesAt: 'the first name stands at {at}: the table has no whole number of records',
    wholeRecords: 'a multiple of {size:number} within {all}',
    nameOutside: 'the name of file {file} stands at {at}, outside the names',
    reachesOut: '"{name}" reaches to {end}, the data file has {size:bytes}',
    full: 'the data file would be larger than the directory can say',
    cut: 'the directories name bytes up to {end} and the data file ends at {size:number}: it is cut, and nothing can be put behind it',
    unreadable: '{file} beside it cannot be read ({why}): a change that did not reach it could be one that the game does not see',
    offsetApart: '"{name}" has offset {offset} and sector {sector}: the game reads by the sector',
    noSector: '"{name}" begins at {offset}, not on a sector: the other directories cannot name that place',
    sectorsApart:
      '"{name}" has {count} sector where {size:bytes} would take {wanted:number}: the game reads as many as are said | "{name}" has {count} sectors where {size:bytes} would take {wanted:number}: the game reads as many as are said',
    twice: '"{name}" is in {kind} more than once; which one the game reads is not known, so change all of them',
    twiceAlike:
      '"{name}" is in {kind} more than once, at one place: which one the game reads makes no difference as long as they are alike',
    apart:
      '"{name}" has {size:bytes} at {at} in {first}, and {bytes:bytes} at {place} in {other}. Dark Cloud reads HD2 alone, Dark Cloud 2 HD4 or HD3: what stands in the others only, it does not see',
    missing:
      '{count} file of {from} is not in {file}: "{name}". A game that reads {file} does not find it | {count} files of {from} are not in {file}, among them "{name}". A game that reads {file} does not find them',
    theOthers: 'the other directories',
    more: '{count} more with {code}',
    no: {
      add: 'a disc takes no more files: its names stand behind the table and stay there, so a new record has no room',
      reorder: 'a disc keeps its order: whether a game relies on that of its directories is not known',
      rebuild: 'a disc is not made anew: whether a game finds files by their sectors alone is not known',
      remove: 'a disc gives no file away: games find files by name, and no record can go without moving those behind it',
    },
    nameTaken: '{file} has a file "{name}" already',
    nameLonger: '"{name}" has {count} bytes, and the name in {file} has room for {most:number}: names of a disc stay where they are',
    twinLeft:
      '"{name}" is on the disc once more and keeps its bytes there: which of the two the game reads is not known, so change it as well | "{name}" is on the disc {count} times more and keeps its bytes there: which of them the game reads is not known, so change them as well',
    otherGame: 'it is the directory of Rogue Galaxy, which keeps its names in pieces: discs of Dark Cloud are read',
    nameShared: 'the name of "{name}" in {file} is also that of another record',
    files: '{count} file | {count} files',
    label: {
      hd2: 'Dark Cloud disc (HD2)',
      hd3: 'Dark Cloud 2 disc (HD3)',
      hd4: 'Dark Cloud 2 disc (HD4)',
      hed: 'Dark Cloud disc (HED)',
      hd6: 'Rogue Galaxy disc (HD6)',
    },
  },
  pack: {
    constant: 'one constant per pack, no meaning',
    end: 'empty: the end. What stands behind the NUL is junk',
    nameLength: 'name of member {member} has {count} bytes, 1 to {most:number} fit',
    label: 'Level-5 pack',
    limits: 'Names of up to {most:number} bytes; 4 GiB a member',
    noWayBehind: 'nothing can stand behind "{member}": its record does not say where it ends',
    tooLarge: '"{name}" is too large for a pack',
    noEnd: 'the pack ends without a record of empty name',
    memberCut: 'member "{member}" has {size:bytes} at {at}, {left:bytesLeft} from its record',
    stride: 'the stride of "{member}" is {stride:number}, {left:bytesLeft}: no member behind it can be found',
    overlap: '"{member}" reaches over the next record; it is cut there',
    member: '{name}, {size:bytes}',
    inTheFile: 'in the file',
    members: '{count} member | {count} members',
  },
} as const
