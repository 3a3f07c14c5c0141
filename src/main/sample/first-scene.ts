/** A character of the sample as the first page shows it, walking: made in memory, no file is written for it. */
import { dffFormat } from '../formats/renderware/codecs/dff.ts'
import { ifpFormat } from '../formats/renderware/codecs/ifp.ts'
import { txdFormat } from '../formats/renderware/codecs/txd.ts'
import { renderware } from '../formats/renderware/family.ts'
import { renderwareSample } from './renderware.ts'
import type { Document } from '../formats/format.ts'
import type { Scene } from '../../shared/scene/types.ts'

const FILES = [
  { end: '/peds/adventurer.dff', role: 'model', format: dffFormat },
  { end: '/peds/adventurer.txd', role: 'textures', format: txdFormat },
  { end: '/adventurer.ifp', role: 'animation', format: ifpFormat },
] as const

/** With its walk alone. */
export function firstScene(): Scene {
  const documents = new Map<string, Document>()
  const files = renderwareSample()
  const members = FILES.map(({ end, role, format }) => {
    const { path, bytes } = files.find((file) => file.path.endsWith(end))!
    documents.set(path, format.decode(bytes, path))
    return { role, ref: path, why: 'self' as const, detail: '' }
  })
  const binding = { family: renderware.id, name: 'adventurer', primary: members[0].ref, members }
  const { scene } = renderware.assemble(binding, (ref) => documents.get(ref), {})
  return { ...scene, clips: scene.clips.filter(({ name }) => name === 'walk'), slices: [] }
}
