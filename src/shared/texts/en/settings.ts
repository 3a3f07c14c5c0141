/** The page of settings; a setting's own texts stand under its name (src/shared/api/settings.ts has the keys). */
export const settings = {
  title: 'Settings',
  other: 'Other',
  noFolder: 'None is chosen',
  pathOf: 'Path of the {label}',
  inBrowser: 'Marrow {version} · in the browser',
  onDesktop: 'Marrow {version} · desktop',

  theme: { label: 'Theme', system: 'System', light: 'Light', dark: 'Dark' },
  scale: { label: 'Interface size, %' },
  tickRate: {
    label: 'Game ticks per second',
    note: 'Of games that count in ticks: a slice moves by its speed each tick. 60 fits what is known best, other sources say 30.',
  },
  saveMode: {
    label: 'Saving',
    'in-place': 'In place',
    'mod-folder': 'Mod folder',
    note: {
      'in-place': "The game's files are written; each original is kept once.",
      'mod-folder': "Changed files go to a folder of their own with the game's paths; the game folder stays as it is.",
    },
  },
  browse: 'Browse…',
  browseFor: 'Browse for the {label}',
  useFolder: 'Use this folder',
  modFolder: { label: 'Mod folder' },
  teamColor: { label: 'Team colour' },
  missingTextures: { label: 'Missing textures', clay: 'Plain clay', checker: 'Checker' },
  watchFolders: {
    label: 'Follow changes on disk',
    note: 'What other programs change in an open folder is in the library some seconds later.',
  },
  updates: {
    label: 'Look for new versions',
    note: 'Off, nothing is asked of the network. A new version is only loaded when you say so.',
  },
} as const
