/** What a model is made of, and what of it cannot be shown. */
export const scene = {
  motionMissing: '{mot} (missing)',
  motionIn: 'MOTION {number} in {script}',
  namedAsModel: 'MODEL "{name}"',
  bindMatrices:
    '{count} bind matrix for {nodes:nodes}; the MDS counts where one is missing | {count} bind matrices for {nodes:nodes}; the MDS counts where one is missing',
  bindMatricesAndBytes:
    '{count} bind matrix and {bytes:bytes} for {nodes:nodes}; the MDS counts where one is missing | {count} bind matrices and {bytes:bytes} for {nodes:nodes}; the MDS counts where one is missing',
  notRead: '{file} could not be read',
  bindPoses: '{count} bind poses; {file} is used',
  onlyModel: 'the only model in {folder}',
  imgIn: 'IMG {number} in {script}',
  hasTexture: 'has texture {texture}',
  tracksOfNoNode:
    '{count} of {all:tracks} is for a node that the model does not have | {count} of {all:tracks} are for nodes that the model does not have',
  weightsWithoutMesh: 'weights are for the mesh of node {node}, which has none',
  noSuchBone: 'bone {bone} is none of the {nodes:nodes}',
  weightsOutside:
    '{count} weight is for a vertex that the mesh of {mesh} does not have | {count} weights are for vertices that the mesh of {mesh} does not have',
  noPicture: 'no picture for texture "{texture}" of {node}',
  backFaces: {
    label: 'Back faces of nodes with __s',
    reason:
      '{count} node has the letter s: one source says that Dark Cloud 1 culls its back faces | {count} nodes have the letter s: one source says that Dark Cloud 1 culls their back faces',
    culled: 'Not drawn',
    drawn: 'Drawn',
  },
  type51: {
    label: 'Track type 51 above type 50',
    reason:
      '{count} mesh has a visibility of its own (50) below a node that shows or hides its branch (51) | {count} meshes have a visibility of their own (50) below a node that shows or hides its branch (51)',
    own: 'The mesh’s own track counts',
    tree: 'The later track in the file counts',
  },
  shownFrom: {
    label: 'Visibility between 0.5 and 1',
    reason:
      '{count} key of type 50 or 51 is between 0.5 and 1: one source says that Dark Cloud 1 hides what is below 1 | {count} keys of types 50 and 51 are between 0.5 and 1: one source says that Dark Cloud 1 hides what is below 1',
    one: 'Hidden below 1',
    half: 'Shown from 0.5 on',
  },
  type40: {
    reasonOfAll:
      '{count} of {all:tracks} is for a material of a node with a mesh and stays within 0 to 1: transparency (alpha = 1 - x) | {count} of {all:tracks} are for a material of a node with a mesh and stay within 0 to 1: transparency (alpha = 1 - x)',
    reasonOfSome:
      '{count} of {all:tracks} is for a material of a node with a mesh and stays within 0 to 1: transparency (alpha = 1 - x); the others are read as uniform scale | {count} of {all:tracks} are for a material of a node with a mesh and stay within 0 to 1: transparency (alpha = 1 - x); the others are read as uniform scale',
    uniformScale: 'type 40 uniform scale',
    ofNoMaterial: 'type 40 transparency of no material',
    transparency: 'type 40 transparency (alpha = 1 - x)',
    label: 'Track type 40 (0x28)',
    auto: 'Decide per track',
    alpha: 'Transparency, alpha = 1 - x',
    scale: 'Uniform scale (public spec)',
  },
  coordinates: '{count} coordinate of {mesh} is no number | {count} coordinates of {mesh} are no numbers',
  tickRate: {
    label: 'Game ticks per second',
    reason:
      'the KEY speed is frames per tick: 60 in Dark Cloud 1 (one source, and lengths of its runs fit), a part of 60 that changes with the scene in Dark Cloud 2; 30 is what others say',
  },
  swizzle: {
    label: 'Pixels of 8-bit textures',
    reason:
      'an IM2 has them swizzled, an IMG row by row, an IM3 says it; elsewhere the smoother one is taken. {turned} of {all} are read as swizzled',
    auto: 'As the bank says',
    smooth: 'The smoother one',
    linear: 'Row by row',
    swizzled: 'Swizzled',
  },
  chosen: 'chosen',
  bindPose: {
    found: {
      local: 'local (Dark Cloud 1): {why}',
      world: 'model-space (Dark Cloud 2): {why}',
    },
    label: 'Bind matrices',
    auto: 'Decide by the pose of the MDS',
    local: 'Local (Dark Cloud 1)',
    world: 'Model space (Dark Cloud 2)',
  },
  twoWeightFiles: 'node {node} has weights in more than one file; the first is shown',
  noInverse: 'the bind matrix of node {bone} has no inverse',
} as const
