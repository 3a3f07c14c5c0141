/** Files as the game takes them. */
export const loose = {
  needs: 'Lost Saga finds its files by their resource paths, where they stand loose already: copy the folders over those of the client.',
} as const
