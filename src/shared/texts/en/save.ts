/** Saving a model. */
export const save = {
  overwrite: 'Overwrite',
  nothing: 'Nothing to save: no byte differs',
  done: 'Saved {count} file, {bytes} bytes changed | Saved {count} files, {bytes} bytes changed',
} as const
