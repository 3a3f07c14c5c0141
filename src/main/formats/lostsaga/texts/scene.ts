/** What a model is made of, and what of it cannot be shown. */
export const scene = {
  namedAfter: 'named after {mesh}',
  texture: 'texture {texture}',
  linkedSkeleton: 'linked skeleton of {skeleton}',
  rotation: '{bone} rotation',
  position: '{bone} position',
  tracksWithoutBone:
    '{count} of {all:tracks} moves a bone that the skeleton does not have | {count} of {all:tracks} move bones that the skeleton does not have',
  noPositions: 'the mesh has no positions',
  noSkeleton: 'no skeleton with the bones of this mesh was found: it is shown at its bind pose',
  controlPoint: 'control point {number}',
  packing: {
    label: 'Packed rotations are',
    reason: 'rounding halves the error and the game reads it the same; truncating is what the game’s own tool does',
    rounded: 'rounded',
    truncated: 'truncated, as the game does',
  },
  twoBones: 'two bones are named {bone}; the first is used',
  linkedBones:
    '{count} of {all:bones} of the linked skeleton {skeleton} is shown on the bone that it names; what the game does with it is not known | {count} of {all:bones} of the linked skeleton {skeleton} are shown on the bones that they name; what the game does with it is not known',
  unknownParent: 'parent {parent} of {bone} is no bone of this skeleton',
  missingBones:
    '{count} of {all:bones} of the mesh is not in the skeleton: {bones} | {count} of {all:bones} of the mesh are not in the skeleton: {bones}',
} as const
