/** Why no new file can be made of what was given. */
export const make = {
  corners: '{n} index is no whole number of corners of type {type} | {n} indices are no whole number of corners of type {type}',
  columns: '{n} number is no whole number of {width} | {n} numbers are no whole number of {width}',
  matrices: '{n} float is no whole number of matrices | {n} floats are no whole number of matrices',
  picture: '{n} byte is no RGBA picture of {width} x {height} | {n} bytes are no RGBA picture of {width} x {height}',
} as const
