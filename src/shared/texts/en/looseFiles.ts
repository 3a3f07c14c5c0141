/** Members of archives that a mod holds as files of their own: why one cannot be. */
export const looseFiles = {
  noLayout: 'no game is known that reads members of this kind of archive as files of their own',
  twin: 'the game reads another member of this name: {name}',
  noName: '{name} is no name that a file can have',
  gameHas: 'the game has {path} as a file of its own, which it reads in place of the member',
  inMod: 'the mod has a copy of its own, which the game reads in its place once the mod is installed',
} as const
