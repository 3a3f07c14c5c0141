/** Slices, outside of their table. */
export const slices = {
  new: 'New slice',
} as const
