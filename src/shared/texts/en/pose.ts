/** Posing in the picture: tools, the bar over it, names of its edits. */
export const pose = {
  rest: {
    poseIn: 'Pose in {clip}',
    skinStays: 'Skin stays',
    skinStaysTip: 'Off: the mesh goes with the bone',
    label: 'The bind pose is shown',
    movesSkeleton: 'Bind pose: moves the skeleton',
    chooseBone: 'Bind pose: choose a bone to move it at rest',
    cannotMove: 'Bind pose: the bones of this model cannot be moved at rest',
    theClip: 'the clip',
  },
  wayOf: 'Motion path of {bone}',
  keyAtPlayhead: 'Key at the playhead',
  key: 'Key the pose',
  axesTip: 'Axes of the handles',
  axes: 'Axes: {space}',
  spaces: {
    local: 'Local',
    parent: 'Parent',
    world: 'World',
  },
  /** on the tools themselves, where there is room: parts of their names */
  words: { choose: 'Choose', move: 'Move', turn: 'Turn', key: 'Key' },
  turnBone: 'Turn bone',
  moveBone: 'Move bone',
  movePoint: 'Move point',
  choose: 'Choose',
  label: 'Posing',
  chooseBone: 'Choose a bone to pose',
  helperCannotMove: 'This helper cannot be moved here',
  pointHasNoTurn: 'A point has a place and no turn',
  edit: {
    turn: 'Turn {bone}',
    move: 'Move {bone}',
  },
  notKeyed: 'Posed, not keyed',
  notKeyedYet: 'Posed, not keyed: {key} keys it',
} as const
