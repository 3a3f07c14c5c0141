/** Texture names of models, and texture dictionaries. */
import { ID } from '../codecs/chunk-ids.ts'
import { childOf, childrenOf, chunkPaths, valueOf } from '../codecs/chunk.ts'
import { readModel } from '../codecs/model.ts'
import { levelExtent, levelSize, rasterProblem } from '../codecs/raster.ts'
import { nativeTextureStruct, texDictionaryStruct, PLATFORM, dxtKind } from '../codecs/texture-native.ts'
import { texturesOf } from '../codecs/txd.ts'
import { fix } from '../../lint.ts'
import { leafFix } from './lookup.ts'
import { say } from '../texts/index.ts'
import type { Rule } from '../rules.ts'
import type { Document } from '../../format.ts'
import type { DffDocument } from '../codecs/dff.ts'
import type { TxdDocument } from '../codecs/txd.ts'

export const FIX = {
  count: fix<TxdDocument>(
    'renderware.txd-count',
    () => say('lint.fixes.setCount'),
    (document, diagnostic) => {
      const roots = document.roots
      for (const root of roots) {
        const struct = childOf(root, ID.struct)
        const value = valueOf(struct, texDictionaryStruct)
        if (value && diagnostic.path.startsWith(chunkPaths(roots).get(root) ?? '?')) value.count = childrenOf(root, ID.textureNative).length
      }
    },
  ),
  levels: fix(
    'renderware.level-count',
    () => say('lint.fixes.countLevel'),
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
          report.say('texture-name-length', say('lint.textureNameLength', { name, n: name.length }), path, material.texture!.chunk.start)
        // without a dictionary at hand nothing is known about what the game would find
        if (dictionaries.length && !known.has(name.toLowerCase()))
          report.say('texture-missing', say('lint.textureMissing', { name }), path, material.texture!.chunk.start)
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
      report.say('txd-count', say('lint.txdCount', { n: count.count, there }), `${paths.get(struct!)}.count`, struct!.start, FIX.count)
  }
  const seen = new Set<string>()
  for (const texture of texturesOf(document)) {
    const path = paths.get(texture.chunk) ?? ''
    const at = texture.chunk.start
    const key = texture.name.toLowerCase()
    if (key && seen.has(key)) report.say('texture-twice', say('lint.textureTwice', { name: texture.name }), path, at)
    seen.add(key)
    const { native } = texture
    if (!native || native.platform === PLATFORM.ps2 || native.platform === PLATFORM.xbox) {
      report.say(
        'texture-platform',
        native ? say('lint.otherPlatform', { name: texture.name, format: texture.format }) : say('lint.unknownPlatform'),
        path,
        at,
      )
      continue
    }
    const struct = childOf(texture.chunk, ID.struct)
    if (native.name.indexOf(0) < 0)
      report.say('texture-name-end', say('lint.textureNameEnd', { name: texture.name }), `${path}.struct.name`, at)
    if (native.levels.length !== native.numLevels)
      report.say(
        'level-count',
        say('lint.levelCount', { name: texture.name, n: native.numLevels, there: native.levels.length }),
        `${path}.struct.numLevels`,
        struct!.start,
        FIX.levels,
      )
    native.levels.some((level, i) => {
      const needed = levelSize(native, i)
      if (level.data.length !== needed)
        report.as(
          level.data.length < needed ? 'error' : 'warning',
          'level-size',
          say('lint.levelSize', {
            level: i,
            name: texture.name,
            n: level.data.length,
            width: levelExtent(native.width, i),
            height: levelExtent(native.height, i),
            needed,
          }),
          `${path}.struct.levels[${i}]`,
          struct!.start,
        )
      return level.data.length !== needed
    })
    const problem = rasterProblem(native)
    if (problem && native.levels.length) report.say('texture-format', say('lint.textureFormat', { name: texture.name, problem }), path, at)
    if (!powerOfTwo(native.width) || !powerOfTwo(native.height))
      report.say('texture-size', say('lint.textureSize', { name: texture.name, width: native.width, height: native.height }), path, at)
    if (dxtKind(native) && (native.width % 4 || native.height % 4))
      report.say('texture-blocks', say('lint.textureBlocks', { name: texture.name, width: native.width, height: native.height }), path, at)
  }
}

function powerOfTwo(n: number): boolean {
  return n > 0 && (n & (n - 1)) === 0
}
