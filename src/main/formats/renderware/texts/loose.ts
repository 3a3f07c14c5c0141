/** Members of archives as files of their own. */
export const loose = {
  needs:
    'III, Vice City and San Andreas need Mod Loader in the game folder: copy the modloader folder into the game, where it takes these files in place of those of the archives.',
  notStreamed: '{name} is of a kind that Mod Loader does not put in the place of a member',
} as const
