/** Texture names of models, and texture dictionaries. */
import { levelExtent } from '../../image/pixels.ts'
import { ID, stampVersion } from '../codecs/chunk-ids.ts'
import { childOf, childrenOf, chunkPaths, valueOf } from '../codecs/chunk.ts'
import { readModel } from '../codecs/model.ts'
import { levelSize, rasterProblem } from '../codecs/raster.ts'
import { nativeTextureStruct, texDictionaryStruct, PLATFORM, RASTER, dxtKind } from '../codecs/texture-native.ts'
import { MOST_TEXTURE_NAME } from '../codecs/texture.ts'
import { texturesOf } from '../codecs/txd.ts'
import { absent, mayBeShared } from '../scene/vehicle.ts'
import { folderOf } from '../../../../shared/ref.ts'
import { fix, type Fix } from '../../lint.ts'
import { leafFix, SAN_ANDREAS } from './lookup.ts'
import { say } from '../texts/index.ts'
import type { Rule, RuleId } from '../rules.ts'
import type { TextureNative } from '../codecs/texture-native.ts'
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
  autoMips: fix(
    'renderware.clear-auto-mips',
    () => say('lint.fixes.autoMips'),
    leafFix(nativeTextureStruct, (native) => {
      native.rasterFormat &= ~RASTER.autoMip
      if (native.platform === PLATFORM.d3d9) native.flags &= ~D3D9.autoMips
    }),
  ),
  levels: fix(
    'renderware.level-count',
    () => say('lint.fixes.countLevel'),
    leafFix(nativeTextureStruct, (native) => {
      native.numLevels = native.levels.length
    }),
  ),
}

/** Direct3D 9's flags in the last byte. */
const D3D9 = { alpha: 1, cube: 2, autoMips: 4, compressed: 8 } as const

/** D3DFORMAT that a raster's format goes with where nothing is compressed. */
const D3D_FORMATS: Readonly<Record<number, number>> = {
  [RASTER.c8888]: 21,
  [RASTER.c888]: 22,
  [RASTER.c565]: 23,
  [RASTER.c555]: 24,
  [RASTER.c1555]: 25,
  [RASTER.c4444]: 26,
  [RASTER.lum8]: 50,
}
const RASTER_BITS = RASTER.mask | RASTER.autoMip | RASTER.pal8 | RASTER.pal4 | RASTER.mips

/** What a Direct3D 9 picture says of its own form that does not go together, '' where all does. */
function formatProblem(native: TextureNative): string {
  const compressed = (native.flags & D3D9.compressed) !== 0
  const dxt = dxtKind(native) > 0
  if (compressed !== dxt) return say(compressed ? 'lint.rasterNotDxt' : 'lint.rasterDxtUnsaid')
  const format = native.rasterFormat & RASTER.mask
  const wanted = D3D_FORMATS[format]
  if (wanted === undefined || native.rasterFormat & ~RASTER_BITS)
    return say('lint.rasterUnknown', { hex: native.rasterFormat.toString(16) })
  if (dxt || native.palette.length) return ''
  return native.alphaOrFormat === wanted ? '' : say('lint.rasterApart', { hex: format.toString(16), wanted, count: native.alphaOrFormat })
}

/** How the card is to read a picture. */
function sampling(
  native: TextureNative,
  name: string,
  sanAndreas: boolean,
  found: (rule: RuleId, message: string, ...fixes: Fix[]) => void,
): void {
  const d3d9 = native.platform === PLATFORM.d3d9
  const auto = (native.rasterFormat & RASTER.autoMip) !== 0 || (d3d9 && (native.flags & D3D9.autoMips) !== 0)
  if (auto && native.levels.length > 1)
    found('texture-auto-mips', say('lint.autoMips', { name, count: native.levels.length }), FIX.autoMips)
  const most = Math.floor(Math.log2(Math.max(1, native.width, native.height))) + 1
  if (native.levels.length > most) found('texture-chain', say('lint.chain', { name, count: native.levels.length, most }))
  const filter = native.filterAddressing & 0xff
  const u = (native.filterAddressing >>> 8) & 0xf
  const v = (native.filterAddressing >>> 12) & 0xf
  const odd = (value: number, last: number): boolean => value > last
  if (filter < 1 || odd(filter, 6) || u < 1 || odd(u, 4) || v < 1 || odd(v, 4) || native.rasterType !== 4)
    found('texture-sampler', say('lint.sampler', { name, filter, u, v, type: native.rasterType }))
  if (d3d9 && native.flags & D3D9.cube) found('texture-cube', say('lint.cube', { name }))
  if (native.width > 2048 || native.height > 2048)
    found('texture-large', say('lint.large', { name, width: native.width, height: native.height }))
  if (!name) found('texture-name-empty', say('lint.nameEmpty'))
  const kind = dxtKind(native)
  const alpha = d3d9 ? (native.flags & D3D9.alpha) !== 0 : native.alphaOrFormat !== 0
  if (kind > 1 && !alpha) found('texture-alpha', say('lint.alpha', { name, format: `DXT${kind}` }))
  if (((native.rasterFormat & RASTER.mips) !== 0) !== native.levels.length > 1 && !auto)
    found('texture-mip-flag', say(native.levels.length > 1 ? 'lint.mipsUnsaid' : 'lint.mipsMissing', { name, count: native.levels.length }))
  const odd3d = d3d9 ? formatProblem(native) : ''
  if (odd3d) found('texture-raster', say('lint.raster', { name, problem: odd3d }))
  if (!sanAndreas && d3d9) found('texture-of-other-game', say('lint.laterGame', { name }))
  if (!sanAndreas) return
  if (native.platform === PLATFORM.d3d8) found('texture-of-other-game', say('lint.otherGame', { name }))
  if (native.palette.length) found('texture-palette', say('lint.palette', { name }))
}

export const names: Rule<DffDocument> = (document, report, model) => {
  const paths = chunkPaths(document.roots)
  const dictionaries = (model.binding?.members ?? [])
    .filter((m) => m.role === 'textures')
    .map((m) => model.load(m.ref))
    .filter((d): d is Document => d?.format === 'renderware.txd')
  const known = new Set(dictionaries.flatMap((d) => texturesOf(d as TxdDocument).map((t) => t.name.toLowerCase())))
  const missing = (): readonly string[] => absent(folderOf(document.ref), model.around)
  const said = new Set<string>()
  for (const clump of readModel(document).clumps) {
    for (const geometry of clump.geometries) {
      for (const material of geometry.materials) {
        const name = material.texture?.name
        if (!name || said.has(name.toLowerCase())) continue
        said.add(name.toLowerCase())
        const path = paths.get(material.texture!.chunk) ?? ''
        if (/[^ -~]/.test(name))
          report.say('texture-name-ascii', say('lint.textureNameAscii', { name }), path, material.texture!.chunk.start)
        if (name.length > MOST_TEXTURE_NAME)
          report.say(
            'texture-name-length',
            say('lint.textureNameLength', { name, count: name.length }),
            path,
            material.texture!.chunk.start,
          )
        // without a dictionary at hand nothing is known about what the game would find
        if (dictionaries.length && !known.has(name.toLowerCase())) {
          const elsewhere = mayBeShared(clump, missing)
          report.as(
            elsewhere ? 'info' : 'warning',
            'texture-missing',
            say(elsewhere ? 'lint.textureShared' : 'lint.textureMissing', { name }),
            path,
            material.texture!.chunk.start,
          )
        }
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
      report.say('txd-count', say('lint.txdCount', { count: count.count, there }), `${paths.get(struct!)}.count`, struct!.start, FIX.count)
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
        say('lint.levelCount', { name: texture.name, count: native.numLevels, there: native.levels.length }),
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
            count: level.data.length,
            width: levelExtent(native.width, i),
            height: levelExtent(native.height, i),
            needed,
          }),
          `${path}.struct.levels[${i}]`,
          struct!.start,
        )
      return level.data.length !== needed
    })
    const sanAndreas = stampVersion(texture.chunk.stamp) >= SAN_ANDREAS
    sampling(native, texture.name, sanAndreas, (rule, message, ...fixes) =>
      report.say(rule, message, `${path}.struct`, struct!.start, ...fixes),
    )
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
