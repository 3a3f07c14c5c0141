/** The command that carries motion from one model to another. */
import { answer, choice, command, MODEL, number, required, text, unless, withDefault, SAVE } from '../command.ts'
import { RETARGET_DEFAULTS, RETARGET_OPTIONS } from '../../../shared/api/retarget-options.ts'
import { say } from '../../../shared/texts/say.ts'

export const retargetCommand = command({
  name: ['retarget'],
  help: 'commandLine.retarget.help',
  arguments: { model: MODEL },
  options: {
    from: required(text('model', 'commandLine.retarget.from')),
    clip: required(text('name', 'commandLine.retarget.clip')),
    into: text('name', 'commandLine.retarget.into'),
    map: text('file', 'commandLine.retarget.map'),
    travel: withDefault(choice('way', 'commandLine.retarget.travel', RETARGET_OPTIONS.travel.values), RETARGET_DEFAULTS.travel),
    align: unless('commandLine.retarget.align'),
    hips: unless('commandLine.retarget.hips'),
    ride: unless('commandLine.retarget.ride'),
    plants: unless('commandLine.retarget.plants'),
    soles: unless('commandLine.retarget.soles'),
    bound: number('share', () => say('commandLine.retarget.bound', { share: RETARGET_DEFAULTS.bound }), {
      ...RETARGET_OPTIONS.bound,
      what: 'commandLine.retarget.share',
    }),
    ...SAVE,
  },
  async run({ model, map, ...wishes }, { models }) {
    const { retargetFrom, retargetText } = await import('../retarget.ts')
    return answer(await retargetFrom(await models(), model, { ...wishes, mapFile: map }), retargetText)
  },
})
