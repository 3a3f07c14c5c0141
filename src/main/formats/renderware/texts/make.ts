/** New files, and what they cannot be made of. */
export const make = {
  noFrameOfNode: 'no frame has node id {id}',
} as const
