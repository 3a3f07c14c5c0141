/** Archives changed as a whole: members that come, go or get another name. */
export const archiveEdits = {
  twoFilesInside: 'an archive of two files cannot be changed inside of another archive',
  readOnly: 'this archive cannot be changed: {why}',
  noEdit: 'members of a {format} can be replaced, and neither come nor go nor get another name',
  notKept: 'the archive would not be read again as it was written ("{name}")',
  outside: '"{name}" would be written outside of the folder',
  noneFits: 'no member fits {names}',
  plan: {
    add: 'add {name}, {n} bytes',
    replace: 'replace {name}: {from} bytes become {n}',
    rename: 'rename {from} to {name}',
    remove: 'remove {name}, {n} bytes',
    size: '{file}: {from} bytes become {to}, {before} members become {after}',
    bytes: '{copied} bytes as they are, {bodies} new of members, {tables} of tables and padding; {n} members stand elsewhere',
    target: 'written to {file}',
    dry: 'nothing is written (--dry-run)',
  },
  extracted: '{n} members, {bytes} bytes written to {folder}',
  members: '{n} members',
} as const
