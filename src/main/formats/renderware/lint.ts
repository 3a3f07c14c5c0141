/**
 * What the games will choke on, and what is odd but harmless. The rules about San Andreas come from a public write-up of its
 * loader and from counted files; docs/formats/renderware.md lists them with their evidence. What the decoder itself found
 * (locked sizes, raw chunks, tails) is in the document's own diagnostics.
 */
import { fixesOf, linter, rulesOf } from '../lint.ts'
import * as clips from './lint/clips.ts'
import * as meshes from './lint/meshes.ts'
import * as original from './lint/original.ts'
import * as plugins from './lint/plugins.ts'
import * as skeleton from './lint/skeleton.ts'
import * as textures from './lint/textures.ts'
import { RULES } from './rules.ts'
import { say } from './texts/index.ts'

export const lint = linter('renderware', RULES, {
  'renderware.dff': [
    meshes.file,
    meshes.fileName,
    meshes.atomics,
    skeleton.frames,
    meshes.geometries,
    plugins.plugins,
    skeleton.peds,
    meshes.objects,
    meshes.tail,
    textures.names,
    plugins.uvAnimations,
    original.stamp,
  ],
  'renderware.txd': [meshes.fileName, textures.dictionary],
  'renderware.ifp': [clips.animations],
})

export const fixes = fixesOf(RULES)

export const rules = rulesOf('renderware', RULES, (id) => say(`rules.${id}`))
