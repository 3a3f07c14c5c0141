/** A first copy of an image of a disc, which figures out of it are saved into. */
export const imageCopy = {
  title: 'Save a copy of {image}',
  about: 'The image of a disc stays as it is: what was edited goes into a copy of it, and what is edited later is saved there, too',
  files: 'What goes in',
  changed: '{count} byte changed | {count} bytes changed',
  others: 'With the unsaved edits of {count} other model | With the unsaved edits of {count} other models',
  image: 'The image',
  save: 'Save the copy',
  drop: 'Throw away what is there',
  dropTip: 'Delete the part of the copy that was written',
  waits: 'into a copy of {image}',
  choose: 'its place is asked for when you save',
} as const
