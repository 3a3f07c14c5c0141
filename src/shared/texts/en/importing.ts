/** Import of animations, and the joints that its nodes stand for. */
export const importing = {
  run: 'Import',
  hint: 'Poses are taken as they are: both skeletons should rest in the same pose. What you choose is remembered for this pair.',
  jointFor: 'Joint for {node}',
  rows: 'Nodes and joints',
  showSame: 'Show the {same} with the same name',
  matched:
    '{matched} of {count} node have a joint of {name}. An empty field leaves a node out. | {matched} of {count} nodes have a joint of {name}. An empty field leaves a node out.',
  jointsOf: 'Joints of {file}',
  label: 'Joints of the animation',
  reasons: {
    kept: 'Your choice before',
    place: 'By its place',
    similar: 'Similar name',
    name: 'Same name',
    yours: 'Your choice',
    leftOut: 'Left out',
  },
  problems: {
    twice: 'Two nodes would move it',
    unknown: 'No joint has this name',
  },
  unused: 'Not taken: {names}',
  assumed: 'Taken as meant: {names}',
  sampled:
    "Sampled at {file} per second, the clip has keys at {clip}: its own times were kept (the file's would be off by up to {degrees}°)",
  unmatched: '{count} node without a joint: {names} | {count} nodes without a joint: {names}',
  done: '{names}: {what}',
  nothingDiffers: 'nothing differs',
  keysWritten: '{count} key written | {count} keys written',
  keysWrittenMoved: '{count} key written, {joint} turned by up to {degrees}° | {count} keys written, {joint} turned by up to {degrees}°',
} as const
