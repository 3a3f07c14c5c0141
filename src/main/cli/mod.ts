/** `marrow mod ...`: how a mod folder holds what a mod changed. */
import { resolve } from 'node:path'
import { realPlace } from '../files/real-place.ts'
import type { CommandModels } from './models.ts'
import { say } from '../../shared/texts/say.ts'

export interface ModLayoutReport {
  folder: string
  layout: 'archives' | 'loose'
  /** what the games need to take files in place of members */
  needs: { family: string; needs: string }[]
}

/** @param as how the mod is held from now on; as it was where it is not given */
export function modLayout({ state, store }: CommandModels, given: string, as?: 'archives' | 'loose'): ModLayoutReport {
  const folder = realPlace(resolve(given))
  if (as !== undefined) state.setMod(folder, { loose: as === 'loose' })
  return {
    folder,
    layout: state.mod(folder).loose ? 'loose' : 'archives',
    needs: store.registry.families.flatMap(({ label, loose }) => (loose ? { family: label, needs: loose.needs } : [])),
  }
}

export function modLayoutText({ folder, layout, needs }: ModLayoutReport): string {
  const lines = [say(`reports.mod.${layout}`, { folder })]
  if (layout === 'loose') lines.push(...needs.map(({ family, needs: what }) => `  ${family}: ${what}`))
  return `${lines.join('\n')}\n`
}
