/** What archives say of themselves, and what is wrong with them. */
export const archives = {
  recordCut: 'a record needs {needed} bytes, the file has {left}',
  disc: {
    tooLarge: 'a directory of {size} bytes is none',
    namesAt: 'the first name stands at {at}: the table has no whole number of records',
    wholeRecords: 'a multiple of {size} within {all}',
    nameOutside: 'the name of file {file} stands at {at}, outside the names',
    reachesOut: '"{name}" reaches to {end}, the data file has {size} bytes',
    full: 'the data file would be larger than the directory can say',
    files: '{n} file | {n} files',
    label: {
      hd2: 'Dark Cloud 2 disc (HD2)',
      hd3: 'Dark Cloud 2 disc (HD3)',
      hed: 'Dark Cloud disc (HED)',
    },
  },
  pack: {
    constant: 'one constant per pack, no meaning',
    end: 'empty: the end. What stands behind the NUL is junk',
    nameLength: 'name of member {member} has {n} bytes, 1 to {most} fit',
    label: 'Level-5 pack',
    noWayBehind: 'nothing can stand behind "{member}": its record does not say where it ends',
    tooLarge: '"{name}" is too large for a pack',
    noEnd: 'the pack ends without a record of empty name',
    memberCut: 'member "{member}" has {size} bytes at {at}, {left} bytes are left from its record',
    stride: 'the stride of "{member}" is {stride}, {left} bytes are left: no member behind it can be found',
    overlap: '"{member}" reaches over the next record; it is cut there',
    member: '{name}, {size} bytes',
    inTheFile: 'in the file',
    members: '{n} member | {n} members',
  },
} as const
