/** Models that are worked on in Blender. */
export const link = {
  title: 'Work in Blender',
  hint: 'Import this file in Blender, and export over it: each save appears on the model.',
  path: 'File',
  copy: 'Copy the path',
  copied: 'The path is copied',
  writing: 'Writing…',
  there: 'It may have work of before in it.',
  keep: 'Take what it has',
  replace: 'Replace it',
  end: 'End the link',
  noProgram: 'No program opens this file by itself: import it in Blender',
  status: {
    waiting: 'Nothing was saved yet',
    writing: 'Being written…',
    imported: 'Taken',
    failed: 'Not taken',
  },
  chip: 'Blender: {what}',
} as const
