/** What the open models are called where they stand side by side: in tabs, and where one of them is chosen. */
import { folderOf } from '../../shared/ref.ts'
import { say } from '../../shared/texts/say.ts'
import { tellApart } from './tell-apart.ts'
import type { OpenModel } from './models.ts'

type Named = { info: Pick<OpenModel['info'], 'name' | 'primary'> }

/** @returns for each '' where its name is its own, else its folder, or its file where one folder has several of that name */
export function modelPlaces(models: readonly Named[]): string[] {
  const byFolder = tellApart(models.map(({ info }) => ({ name: info.name, place: folderOf(info.primary) })))
  const byFile = tellApart(models.map(({ info }) => ({ name: info.name, place: info.primary })))
  const told = models.map(({ info }, i) => `${info.name}\n${byFolder[i]}`)
  return models.map((_, i) => (told.indexOf(told[i]) === told.lastIndexOf(told[i]) ? byFolder[i] : byFile[i]))
}

/** @returns the name of each, with the place that tells it apart where others have the same */
export function modelNames(models: readonly Named[], places = modelPlaces(models)): string[] {
  return models.map(({ info: { name } }, i) => (places[i] ? say('common.nameIn', { name, place: places[i] }) : name))
}
