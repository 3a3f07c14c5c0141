/** Why no new file can be made of what was given. */
export const make = {
  corners: '{count} index is no whole number of corners of type {type} | {count} indices are no whole number of corners of type {type}',
  columns: '{count} number is no whole number of {width} | {count} numbers are no whole number of {width}',
  matrices: '{count} float is no whole number of matrices | {count} floats are no whole number of matrices',
  picture: '{count} byte is no RGBA picture of {width} x {height} | {count} bytes are no RGBA picture of {width} x {height}',
} as const
