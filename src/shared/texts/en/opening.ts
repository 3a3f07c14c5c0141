/** Opening what was dropped or chosen. */
export const opening = {
  dropped: 'Dropped files',
  tooLarge: '{name} is too large for a browser to hand over: open its folder',
  notAgain: 'Not opened again: {files}',
  notOpened:
    '{count} more file was not opened: its models are in the library | {count} more files were not opened: their models are in the library',
  tooMany:
    '{count} file are too many for a browser to hand over: open the folder with "Open folder" | {count} files are too many for a browser to hand over: open the folder with "Open folder"',
} as const
