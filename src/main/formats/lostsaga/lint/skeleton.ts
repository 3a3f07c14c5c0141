/** Names, parents, child lists and rest of the bones. */
import { numberIn } from '../../address.ts'
import { fix } from '../../lint.ts'
import { LOCAL_ROTATION, NO_PARENT, type SklDocument } from '../codecs/skl.ts'
import { unitLength } from '../codecs/rotation.ts'
import { bindOffset } from '../scene/skeleton.ts'
import { say } from '../texts/index.ts'
import { length4 } from '../../../../shared/scene/length.ts'
import type { Rule } from '../rules.ts'

export const FIX = {
  children: fix<SklDocument>(
    'lostsaga.children-from-parents',
    () => say('lint.childrenFromParents'),
    (document) => {
      const { bones } = document
      const lower = (s: { text: string }): string => s.text.toLowerCase()
      for (const bone of bones) {
        const own = bones.filter((b) => b !== bone && lower(b.parent) === lower(bone.name))
        // what is right keeps its place in the list
        const kept = bone.children.filter(
          (c, i) => own.some((b) => lower(b.name) === lower(c)) && bone.children.findIndex((d) => lower(d) === lower(c)) === i,
        )
        bone.children = [...kept, ...own.filter((b) => !kept.some((c) => lower(c) === lower(b.name))).map((b) => b.name)]
      }
    },
  ),
  rest: fix<SklDocument>(
    'lostsaga.unit-rest',
    () => say('lint.unitRest'),
    (document, diagnostic) => {
      const bone = document.bones[numberIn(diagnostic.path, 'bones') ?? -1]
      if (bone) unitLength(bone.transform.subarray(LOCAL_ROTATION, LOCAL_ROTATION + 4))
    },
  ),
}

export const bones: Rule<SklDocument> = (document, report) => {
  const index = new Map<string, number>()
  document.bones.forEach((bone, i) => {
    const name = bone.name.text.toLowerCase()
    if (!name) report.say('empty-bone-name', say('lint.boneWithoutName'), `bones[${i}].name`, bone.range.start)
    else if (index.has(name))
      report.say('duplicate-bone', say('lint.duplicateBone', { bone: bone.name.text }), `bones[${i}].name`, bone.range.start)
    else index.set(name, i)
  })
  document.bones.forEach((bone, i) => {
    const parent = bone.parent.text
    const p = index.get(parent.toLowerCase())
    if (parent !== NO_PARENT && p === undefined)
      report.say('unknown-parent', say('lint.unknownParent', { parent }), `bones[${i}].parent`, bone.range.start)
    if (p !== undefined) {
      if (!document.bones[p].children.some((c) => c.text.toLowerCase() === bone.name.text.toLowerCase()))
        report.say(
          'child-list',
          say('lint.notAChild', { bone: bone.name.text, parent }),
          `bones[${p}].children`,
          document.bones[p].range.start,
          FIX.children,
        )
      if (p >= i)
        report.say('parent-order', say('lint.parentOrder', { parent, bone: bone.name.text }), `bones[${i}].parent`, bone.range.start)
    }
    bone.children.forEach((child, c) => {
      const k = index.get(child.text.toLowerCase())
      if (k === undefined)
        report.say(
          'child-list',
          say('lint.unknownChild', { child: child.text }),
          `bones[${i}].children[${c}]`,
          bone.range.start,
          FIX.children,
        )
      else if (document.bones[k].parent.text.toLowerCase() !== bone.name.text.toLowerCase())
        report.say(
          'child-list',
          say('lint.childOfAnother', { child: child.text }),
          `bones[${i}].children[${c}]`,
          bone.range.start,
          FIX.children,
        )
    })
    const q = bone.transform.subarray(3, 7)
    if (!(Math.abs(length4(q[0], q[1], q[2], q[3]) - 1) < 1e-2))
      report.say(
        'non-unit-rotation',
        say('lint.restNotUnit', { bone: bone.name.text, length: length4(q[0], q[1], q[2], q[3]).toFixed(3) }),
        `bones[${i}].localRotation`,
        bone.range.start,
        FIX.rest,
      )
  })
  const offset = bindOffset(document)
  if (offset > 0.5) report.say('bind-is-not-rest', say('lint.bindIsNotRest', { units: offset.toFixed(2) }), 'bones', 12)
}
