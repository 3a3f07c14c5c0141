/** Members of archives as files of their own. */
export const loose = {
  needs:
    'Generals and Zero Hour read files in their folder before their archives, Renegade those in its Data folder; The Battle for Middle-earth looks at archives first, but for the folder that it is started with (-mod).',
  nameless: 'the archive does not have the name of {name}: only its checksum',
} as const
