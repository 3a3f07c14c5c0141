/** Files that the user makes part of a model. */
export const giving = {
  added: '{name} is part of {model} from now on | {count} files are part of {model} from now on',
  addAnimation: 'Add animation…',
  addFiles: 'Add files…',
  addFilesTip: 'Animations, textures, a skeleton, a bind pose: from any folder. They stay part of this model',
  locate: 'Locate…',
  locateWhat: 'Locate… {what}',
  locateTip: 'Choose the file that has it, from any folder',
  missing: {
    textures: '{count} texture is missing: {names} | {count} textures are missing: {names}',
    sharedTextures:
      '{count} texture may be in {file}, which is not here: {names} | {count} textures may be in {file}, which is not here: {names}',
    skeleton: 'The skeleton is missing: {names}',
    'bind-pose': 'The bind pose is missing: {names}',
    skeletonNameless: 'No skeleton has the bones of this mesh',
  },
  dropAdd: 'Drop here to add to {model}',
  dropOpen: 'Drop here to open',
} as const
