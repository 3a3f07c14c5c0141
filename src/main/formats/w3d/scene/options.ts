/** What a user chooses for a model of the family. */
import { say } from '../texts/index.ts'
import type { ModelOption } from '../../binding.ts'

/** Keys of the choices. */
export const OPTION = { object: 'object', fixups: 'fixups', replacedTextures: 'replacedTextures', rawFrames: 'rawFrames' } as const

/** @param label what the objects are */
export function objectOption(label: string, value: string, objects: readonly { name: string }[]): ModelOption {
  return {
    key: OPTION.object,
    label,
    reason: say('scene.options.several'),
    value,
    options: objects.map(({ name }) => ({ value: name, label: name })),
  }
}

export function fixupsOption(applied: boolean): ModelOption {
  return {
    key: OPTION.fixups,
    label: say('scene.options.fixups'),
    reason: say('scene.options.fixupsReason'),
    value: applied ? 'applied' : 'ignored',
    options: [
      { value: 'ignored', label: say('scene.options.ignored') },
      { value: 'applied', label: say('scene.options.applied') },
    ],
  }
}

export function replacedTexturesOption(applied: boolean): ModelOption {
  return {
    key: OPTION.replacedTextures,
    label: say('scene.options.replaced'),
    reason: say('scene.options.replacedReason'),
    value: applied ? 'applied' : 'ignored',
    options: [
      { value: 'ignored', label: say('scene.options.ignored') },
      { value: 'applied', label: say('scene.options.applied') },
    ],
  }
}

export function rawFramesOption(snap: boolean): ModelOption {
  return {
    key: OPTION.rawFrames,
    label: say('scene.options.rawFrames'),
    reason: say('scene.options.rawFramesReason'),
    value: snap ? 'snap' : 'blend',
    options: [
      { value: 'blend', label: say('scene.options.blended') },
      { value: 'snap', label: say('scene.options.oneByOne') },
    ],
  }
}
