/** The list of clips, outside of its table. */
export const clipList = {
  merged: '{count} clip of {file} added | {count} clips of {file} added',
} as const
