/** Why no new file can be made of what was given. */
export const make = {
  corners: '{n} indices are no whole number of corners of type {type}',
  columns: '{n} numbers are no whole number of {width}',
  matrices: '{n} floats are no whole number of matrices',
  picture: '{n} bytes are no RGBA picture of {width} x {height}',
} as const
