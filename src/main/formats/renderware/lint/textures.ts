/** Texture names of models, and texture dictionaries. */
import { ID } from '../codecs/chunk-ids.ts'
import { childOf, childrenOf, chunkPaths, valueOf } from '../codecs/chunk.ts'
import { readModel } from '../codecs/model.ts'
import { levelExtent, levelSize, rasterProblem } from '../codecs/raster.ts'
import { nativeTextureStruct, texDictionaryStruct, PLATFORM, dxtKind } from '../codecs/texture-native.ts'
import { texturesOf } from '../codecs/txd.ts'
import { fix, type Rule } from '../../lint.ts'
import { leafFix } from './lookup.ts'
import type { Document } from '../../format.ts'
import type { DffDocument } from '../codecs/dff.ts'
import type { TxdDocument } from '../codecs/txd.ts'

export const FIX = {
  count: fix<TxdDocument>('renderware.txd-count', 'Set the count', (document, diagnostic) => {
    const roots = document.roots
    for (const root of roots) {
      const struct = childOf(root, ID.struct)
      const value = valueOf(struct, texDictionaryStruct)
      if (value && diagnostic.path.startsWith(chunkPaths(roots).get(root) ?? '?')) value.count = childrenOf(root, ID.textureNative).length
    }
  }),
  levels: fix(
    'renderware.level-count',
    'Count the level',
    leafFix(nativeTextureStruct, (native) => {
      native.numLevels = native.levels.length
    }),
  ),
}

export const names: Rule<DffDocument> = (document, report, model) => {
  const paths = chunkPaths(document.roots)
  const dictionaries = (model.binding?.members ?? [])
    .filter((m) => m.role === 'textures')
    .map((m) => model.load(m.ref))
    .filter((d): d is Document => d?.format === 'renderware.txd')
  const known = new Set(dictionaries.flatMap((d) => texturesOf(d as TxdDocument).map((t) => t.name.toLowerCase())))
  const said = new Set<string>()
  for (const clump of readModel(document).clumps) {
    for (const geometry of clump.geometries) {
      for (const material of geometry.materials) {
        const name = material.texture?.name
        if (!name || said.has(name.toLowerCase())) continue
        said.add(name.toLowerCase())
        const path = paths.get(material.texture!.chunk) ?? ''
        if (name.length > 31)
          report.say(
            'warning',
            'texture-name-length',
            `the texture name "${name}" has ${name.length} characters; dictionaries hold 31`,
            path,
            material.texture!.chunk.start,
          )
        // without a dictionary at hand nothing is known about what the game would find
        if (dictionaries.length && !known.has(name.toLowerCase()))
          report.say('warning', 'texture-missing', `no texture dictionary of this model has "${name}"`, path, material.texture!.chunk.start)
      }
    }
  }
}

export const dictionary: Rule<TxdDocument> = (document, report) => {
  const paths = chunkPaths(document.roots)
  for (const root of document.roots) {
    const struct = childOf(root, ID.struct)
    const count = valueOf(struct, texDictionaryStruct)
    const there = childrenOf(root, ID.textureNative).length
    if (count && root.type === ID.texDictionary && count.count !== there)
      report.say(
        'error',
        'txd-count',
        `the dictionary counts ${count.count} textures and has ${there}`,
        `${paths.get(struct!)}.count`,
        struct!.start,
        FIX.count,
      )
  }
  const seen = new Set<string>()
  for (const texture of texturesOf(document)) {
    const path = paths.get(texture.chunk) ?? ''
    const at = texture.chunk.start
    const key = texture.name.toLowerCase()
    if (key && seen.has(key))
      report.say('warning', 'texture-twice', `two textures are named "${texture.name}"; the game takes the last`, path, at)
    seen.add(key)
    const { native } = texture
    if (!native || native.platform === PLATFORM.ps2 || native.platform === PLATFORM.xbox) {
      report.say(
        'info',
        'texture-platform',
        native
          ? `"${texture.name}" is for ${texture.format}: it is kept, and cannot be changed`
          : 'a texture of an unknown platform is kept as it is',
        path,
        at,
      )
      continue
    }
    const struct = childOf(texture.chunk, ID.struct)
    if (native.name.indexOf(0) < 0)
      report.say('warning', 'texture-name-end', `the name of "${texture.name}" fills its field without an end`, `${path}.struct.name`, at)
    if (native.levels.length !== native.numLevels)
      report.say(
        'warning',
        'level-count',
        `"${texture.name}" counts ${native.numLevels} levels and has ${native.levels.length}`,
        `${path}.struct.numLevels`,
        struct!.start,
        FIX.levels,
      )
    native.levels.some((level, i) => {
      const needed = levelSize(native, i)
      if (level.data.length !== needed)
        report.say(
          level.data.length < needed ? 'error' : 'warning',
          'level-size',
          `level ${i} of "${texture.name}" has ${level.data.length} bytes, ${levelExtent(native.width, i)} x ${levelExtent(native.height, i)} pixels take ${needed}`,
          `${path}.struct.levels[${i}]`,
          struct!.start,
        )
      return level.data.length !== needed
    })
    const problem = rasterProblem(native)
    if (problem && native.levels.length) report.say('warning', 'texture-format', `"${texture.name}": ${problem}`, path, at)
    if (!powerOfTwo(native.width) || !powerOfTwo(native.height))
      report.say(
        'info',
        'texture-size',
        `"${texture.name}" is ${native.width} x ${native.height}; old cards draw powers of two only`,
        path,
        at,
      )
    if (dxtKind(native) && (native.width % 4 || native.height % 4))
      report.say(
        'warning',
        'texture-blocks',
        `"${texture.name}" is block-compressed and ${native.width} x ${native.height}, no multiple of 4`,
        path,
        at,
      )
  }
}

function powerOfTwo(n: number): boolean {
  return n > 0 && (n & (n - 1)) === 0
}
