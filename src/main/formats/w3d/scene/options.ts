/** What a user chooses for a model of the family. */
import type { ModelOption } from '../../format.ts'

/** Keys of the choices. */
export const OPTION = { object: 'object', fixups: 'fixups', replacedTextures: 'replacedTextures', rawFrames: 'rawFrames' } as const

/** @param label what the objects are */
export function objectOption(label: string, value: string, objects: readonly { name: string }[]): ModelOption {
  return {
    key: OPTION.object,
    label,
    reason: 'the file has several',
    value,
    options: objects.map(({ name }) => ({ value: name, label: name })),
  }
}

export function fixupsOption(applied: boolean): ModelOption {
  return {
    key: OPTION.fixups,
    label: 'Pivot fixups',
    reason: 'left by the exporter; the games ignore them, the public specification applies them',
    value: applied ? 'applied' : 'ignored',
    options: [
      { value: 'ignored', label: 'Ignored, as in the games' },
      { value: 'applied', label: 'Applied' },
    ],
  }
}

export function replacedTexturesOption(applied: boolean): ModelOption {
  return {
    key: OPTION.replacedTextures,
    label: 'Replaced textures',
    reason: 'an aggregate exchanges textures of its model; the released engines call that obsolete and skip it',
    value: applied ? 'applied' : 'ignored',
    options: [
      { value: 'ignored', label: 'Ignored, as in the games' },
      { value: 'applied', label: 'Applied' },
    ],
  }
}

export function rawFramesOption(snap: boolean): ModelOption {
  return {
    key: OPTION.rawFrames,
    label: 'Uncompressed frames',
    reason: 'Generals and Zero Hour show them one by one, other builds and the viewer blend',
    value: snap ? 'snap' : 'blend',
    options: [
      { value: 'blend', label: 'Blended' },
      { value: 'snap', label: 'One by one' },
    ],
  }
}
