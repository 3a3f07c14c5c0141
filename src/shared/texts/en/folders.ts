/** Choosing a folder in the window. */
export const folders = {
  hint: 'Double click or Enter goes into a folder',
  none: 'No folders in here',
  list: 'Folders',
  path: 'Folder path',
  choose: 'Choose a folder',
  parent: 'Parent folder',
  allPlaces: 'All places',
  openThis: 'Open this folder',
} as const
