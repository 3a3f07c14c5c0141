/** Meshes as they stand in an MDS. */
import { sectionNames, sectionOffsets } from '../codecs/mds.ts'
import { mdtLayout } from '../codecs/mdt.ts'
import { say } from '../texts/index.ts'
import type { Rule } from '../rules.ts'
import type { MdsDocument } from '../codecs/mds.ts'

const MANY_MESHES = 100

export const meshes: Rule<MdsDocument> = (document, report) => {
  const names = sectionNames(document)
  const offsets = sectionOffsets(document)
  const many = document.nodes.filter((node) => node.section >= 0).length
  if (many > MANY_MESHES) report.say('many-meshes', say('lint.manyMeshes', { count: many }), 'nodes')
  document.sections.forEach((section, i) => {
    if (section.kind === 'gap') return
    if (offsets[i] % 16) report.say('mdt-alignment', say('lint.meshAlignment'), names[i], offsets[i])
    if (section.kind !== 'mdt') return
    const { offset } = mdtLayout(section.mdt)
    const crooked = section.mdt.parts.find((part) => part.kind !== 'pad' && offset[part.kind] % 16 !== 0)
    if (crooked) report.say('mesh-sections', say('lint.meshSections', { section: crooked.kind }), `${names[i]}.${crooked.kind}`, offsets[i])
    const odd = section.mdt.faces?.primitives.filter((p) => ![3, 4, 5].includes(p.type & 7)).length ?? 0
    if (odd) report.say('primitive-kind', say('lint.noTriangles', { count: odd }), `${names[i]}.faces`, offsets[i])
  })
}
