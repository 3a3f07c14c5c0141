/** The five steps that lead from a folder to a saved edit. */
export const firstSteps = {
  label: 'First steps',
  step: 'Step {number} of {all}',
  doIt: 'Do it for me',
  leave: 'Leave the first steps',
  edit: 'Turn {bone} by {degrees}°',
  titles: { folder: 'Folder', model: 'Model', play: 'Play', edit: 'Edit', save: 'Save' },
  texts: {
    folder: 'Open the folder of a game. The sample is one that Marrow made.',
    model: 'Open a model: a double click or Enter on its row.',
    play: 'Play its motion: {key}.',
    edit: 'Change something: choose a bone, and type another rotation in the inspector. {key} undoes it.',
    save: 'Save: {key}. The original of every file is kept.',
  },
  cannot: {
    model: 'This folder has no models',
    play: 'This model has no motion to play',
    edit: 'This model has no motion that can be changed',
  },
  openSample: 'Open the sample',
  done: 'That was all of it. Changes lists what is different, and brings originals back.',
  showChanges: 'Show Changes',
} as const
