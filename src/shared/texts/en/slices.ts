/** Slices, outside of their table. */
export const slices = {
  new: 'New slice',
  windowReplaced: '{slice} plays {file} now',
} as const
