/** Saving a model. */
export const save = {
  overwrite: 'Overwrite',
  nothing: 'Nothing to save: no byte differs',
  done: 'Saved {count} file, {bytes} changed | Saved {count} files, {bytes} changed',
  running: 'Saving model {done} of {total}, stop',
  runningTip: 'Stops before the next model: {name} is saved now',
  allDone: 'Saved {count} model, {files} | Saved {count} models, {files}',
  allLeft: '{count} model is not saved: {why} | {count} models are not saved: {why}',
} as const
