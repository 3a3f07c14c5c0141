/** The list of clips, outside of its table. */
export const clipList = {
  merged: '{count} clip of {file} added | {count} clips of {file} added',
  unpacked: 'The frames of {count} track stand plain: {size} more | The frames of {count} tracks stand plain: {size} more',
} as const
