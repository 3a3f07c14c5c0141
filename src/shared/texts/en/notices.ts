/** What the window tells beside the work. */
export const notices = {
  notCopied: 'The clipboard could not be written',
  nothingChanged: 'Nothing was changed',
  someTracksLeft: 'Some tracks were left as they are',
  updated: {
    gone: 'gone',
    files: 'Updated files',
    title:
      'The game updated {count} file after this mod was made from it | The game updated {count} files after this mod was made from them',
  },
  builtBefore: '{name}: the mod folder has all of it already',
  written: '{name}: {count} file written | {name}: {count} files written',
} as const
