/** Formats: what files of several families say, and what is said of all of them. */
export const formats = {
  /** in summaries of files, which programs read too */
  bones: '{n} bone | {n} bones',
  events: '{n} event | {n} events',
  faces: '{n} face | {n} faces',
  keys: '{n} key | {n} keys',
  materials: '{n} material | {n} materials',
  meshes: '{n} mesh | {n} meshes',
  submeshes: '{n} submesh | {n} submeshes',
  tracks: '{n} track | {n} tracks',
  triangles: '{n} triangle | {n} triangles',
  vertices: '{n} vertex | {n} vertices',
  sameName: 'same name',
  matchedBones: '{matched} of {all} bones',

  notLossless: 'writing this file again would change it at byte {at}',
  notReadAgain: 'the edited file could not be read again: {why}',
  readDifferently: 'the edited file would not be read again as it was written (byte {at})',

  /** what a caller names, and is not there */
  missing: {
    boneOfJoint: 'there is no bone of a skeleton file for joint {name}',
    clip: 'there is no clip {name}',
    controlPoint: 'there is no control point {name}',
    event: 'there is no event {name}',
    field: 'there is no field {name}',
    joint: 'there is no joint {name}',
    marker: 'there is no marker {name}',
    member: 'there is no member {name}',
    mesh: 'there is no mesh {name}',
    node: 'there is no node {name}',
    point: 'there is no point {name}',
    skin: 'there is no skin {name}',
    slice: 'there is no slice {name}',
    submesh: 'there is no submesh {name}',
    texture: 'there is no texture {name}',
    track: 'there is no track {name}',
    window: 'there is no window {name}',
  },

  /** clips as a whole */
  clips: {
    plainName: '"{name}" cannot be a name here: names are plain ASCII, without spaces at their ends',
    longName: '"{name}" has {n} characters: the format holds {most}',
    nameTaken: 'there is a clip called "{name}" already',
    notInside: '{time} is not inside of the clip, which goes from {start} to {end}',
    outside: '{from} to {to} is not within the clip, which goes from {start} to {end}',
    withItself: 'a clip cannot be joined with itself',
    otherFile: 'these clips stand in different files: move one of them first',
    noFileForClip: 'this model has no file that could take the clip',
    sameFile: 'the clip stands in that file already',
    notOfFile: 'the file has no clip "{name}"',
    noClipsInFile: '{file} has no clips that this model could take',
    tooMany: 'the file has {n} clips: {most} are the most',
  },

  noKey: 'there is no key {key}',
  noVertex: 'there is no vertex {vertex}',
  belowItself: 'a bone cannot hang below itself',
  parentWithoutPlace: 'the new parent has no place',
  textureNotFound: 'texture {texture} was not found',
} as const
