/** Export of one model and of many. */
export const exporting = {
  again: 'Export again…',
  stop: 'Stop',
  failedLabel: 'Models that failed',
  choose: 'Choose…',
  aFolder: 'A folder',
  folderLabel: 'Folder for the exports',
  form: {
    into: 'Into',
    existing: 'Files that are there',
    folders: 'Folders',
    format: 'Format',
    models: 'Models',
  },
  exporting: 'Exporting',
  intoThis: 'Export into this folder',
  modelsOf: 'Export models of {name}',
  models: 'Export models',
  existing: {
    replace: 'Replace',
    skip: 'Leave as they are',
  },
  layouts: {
    flat: 'One folder',
    folders: 'As in the library',
  },
  here: 'Export here',
  model: 'Export {name}',
  leftOut: 'Left out, since the format has no place for it: {left}',
  filesIn: '{count} file in {folder} | {count} files in {folder}',
  leftOutOf:
    'Left out of {count} model, since the format has no place for it: {what} | Left out of {count} models, since the format has no place for it: {what}',
  failed: '{count} model failed | {count} models failed',
  run: 'Export {count} model | Export {count} models',
  with: 'with {part}',
  stoppedAfter: 'Stopped after {exported} of {count} model | Stopped after {exported} of {count} models',
  exported: 'Exported {exported} of {count} model | Exported {exported} of {count} models',
  skipped: '{skipped} there already',
  failures: '{failures} failed',
  forms: {
    glb: {
      label: 'GLB',
      note: 'One file: meshes, skins, materials, textures, and each slice and clip as an animation.',
    },
    gltf: {
      label: 'glTF',
      note: 'A text file beside its buffer and its textures as PNG.',
    },
    png: {
      label: 'Textures',
      note: 'Every texture of the model as a PNG file.',
    },
  },
  wroteOne: 'Wrote {file} to {folder}',
  wrote: 'Wrote {count} file to {folder} | Wrote {count} files to {folder}',
} as const
