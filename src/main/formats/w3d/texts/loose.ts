/** Members of archives as files of their own. */
export const loose = {
  needs:
    'Generals and Zero Hour read files in their folder before their archives, Renegade those in its Data folder; The Battle for Middle-earth looks at archives first, but for the folder that it is started with (-mod).',
  diskFirst:
    'Generals and Zero Hour read files on disk before their archives, so not the one in {archive}; The Battle for Middle-earth looks at archives first',
  firstByName: 'Generals and Zero Hour take the first of their archives by name that has a file: {read} before {other}',
  dataFirst: 'Renegade reads files in its Data folder before its archives, so not the one in {archive}',
  listed: 'Renegade looks into {read} before {other}',
  notListed: 'no source says whether Renegade looks into {read} or {other} first',
  nameless: 'the archive does not have the name of {name}: only its checksum',
} as const
