/** The page that is shown without a folder. */
export const welcome = {
  promise: 'Files are only written when you save; the original of every file is kept.',
  open: 'Open folder',
  removeFromList: 'Remove from this list',
  removeRecent: 'Remove {name} from recent',
  recent: 'Recent',
  recentFolders: 'Recent folders',
  openSampleNote: 'A skinned character with animations, made by Marrow',
  openSample: 'Open the sample library',
  openFolderNote: 'Extracted game files, packs included',
  openFolder: 'Open folder…',
  start: 'Start',
  unsavedEdits: 'Unsaved edits',
  purpose: 'Skeletons, skins and animations of old games: open, see, edit, write back.',
  label: 'Welcome',
  noRecent: 'Folders that you open are listed here.',
} as const
