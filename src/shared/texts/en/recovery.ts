/** Edits from last time that are offered again. */
export const recovery = {
  discard: 'Discard',
  putAside: 'Put aside',
  damaged: 'The damaged journal stays on disk',
  discardOf: 'Discard edits of {name}',
  putAsideOf: 'Put edits of {name} aside',
  restore: 'Restore',
  restoreOf: 'Restore edits of {name}',
  hasUnsaved: '{name} has unsaved edits from last time',
  title: 'Unsaved edits from last time',
} as const
