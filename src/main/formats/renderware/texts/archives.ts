/** Archives: their names, fields and faults. */
export const archives = {
  noVer2: 'no VER2 archive',
  sectors: 'sectors of 2048 bytes',
  streamingCounts: '0: the streaming size counts',
  memberRange: '{name} reaches to {end}, the file has {size:bytes}',
  entry: 'entry {i}',
  tooManySectors: '{name} would take {sectors:sectors}; the directory holds at most 65535',
  tooLarge: 'an archive of more sectors than its directory counts',
  noEntries: 'a directory without entries is not known for one: a new archive of this kind begins with a member',
  imgArchive: 'IMG archive',
  imgDirectory: 'IMG directory',
  img2: 'IMG archive (San Andreas)',
  limits2: 'Names of up to {most:number} plain characters, files of up to 128 MB; each is filled up to whole sectors of 2 KB',
  limits1:
    'Names of up to {most:number} plain characters, at least one file; each is filled up to whole sectors of 2 KB. A data file stands beside it',
  entriesDoNotFit: '{count} entry does not fit the file | {count} entries do not fit the file',
  img1: 'IMG archive (III, Vice City)',
  directoryOf: 'a directory of {count} entry | a directory of {count} entries',
} as const
