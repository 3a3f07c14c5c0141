/** Members of archives as files of their own. */
export const loose = {
  needs:
    'Dark Cloud and Dark Cloud 2 read nothing but their disc: these files, in the folder tree of DATA.DAT, have to be put into it again before the game sees them.',
  discAlone: 'the games read {disc} by its sectors and no file beside it: this one counts once it is put into the disc',
  twoDiscs: 'the data of two directories have it, and which one the game reads depends on its release',
  insidePack: 'the game reads {name} inside of {pack} alone',
} as const
