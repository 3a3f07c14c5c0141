/** Members of archives as files of their own. */
export const loose = {
  needs:
    'III, Vice City and San Andreas need Mod Loader in the game folder: copy the modloader folder into the game, where it takes these files in place of those of the archives.',
  loaderFirst: 'Mod Loader puts {read} in the place of the member of {other}; without it the game reads the member',
  twoArchives: 'both {read} and {other} have it, and no source says which of them the game reads',
  twoMods: 'both {read} and {other} have it: the priorities of Mod Loader decide',
  notStreamed: '{name} is of a kind that Mod Loader does not put in the place of a member',
} as const
