/** Members of archives as files of their own. */
export const loose = {
  needs:
    'Dark Cloud and Dark Cloud 2 read nothing but their disc: these files, in the folder tree of DATA.DAT, have to be put into it again before the game sees them.',
  insidePack: 'the game reads {name} inside of {pack} alone',
} as const
