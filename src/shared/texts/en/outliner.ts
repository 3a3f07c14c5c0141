/** The outliner. */
export const outliner = {
  openOne: 'Open one from the library.',
  clearSearch: 'Clear search',
  nothingFound: 'Nothing is called that',
  readOnly: 'read-only',
  error: 'error',
  unsaved: 'Unsaved edits',
  tracksFit: '{matched} of {total} tracks fit',
  heatMap: 'Heat map',
  attach: 'attachment point',
  label: 'Outliner',
  search: 'Search the outliner',
  cannotHang: 'a bone cannot hang below itself, nor on what is no bone',
  showMesh: 'Show mesh {mesh}',
  hideMesh: 'Hide mesh {mesh}',
  taken: '{bone} is taken: {hang} hangs it below the chosen bone, {letGo} lets go',
  points: 'Attachment points and helpers',
} as const
