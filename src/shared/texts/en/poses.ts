/** Poses that the user keeps, as the services and the command line say it. */
export const poses = {
  tooMany: 'No more than {most} poses are kept of a skeleton',
  tooLarge: 'This file is too large for poses',
  noRoom: 'The file of these poses has no room for more: remove some first',
  noPose: 'The lists of this pose do not go together',
  noFile: 'This is no file of poses that Marrow wrote',
  noShelf: 'No poses are kept of this skeleton',
  gone: 'This pose is not there any more',
  otherNames:
    'These poses are of {label}, whose bones are called otherwise: {shared} of {count} name is the same | These poses are of {label}, whose bones are called otherwise: {shared} of {count} names are the same',
} as const
