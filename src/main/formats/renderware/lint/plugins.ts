/** What Rockstar's plugins hold: effects, night colours, texture animations, breakables. */
import { ID } from '../codecs/chunk-ids.ts'
import { chunkPaths, pluginOf, valueOf } from '../codecs/chunk.ts'
import { AT_DAY, AT_NIGHT, breakable, effect2d, effectValues, nightColours, uvAnimPlg } from '../codecs/plugins.ts'
import { animation, uvAnimationName } from '../codecs/rt-anim.ts'
import { readModel } from '../codecs/model.ts'
import { eachClump, listed } from './lookup.ts'
import { nameOf } from '../../../binary/reader.ts'
import { say } from '../texts/index.ts'
import type { ClumpPlace } from './lookup.ts'
import type { Breakable, Effect2d } from '../codecs/plugins.ts'
import type { Rule } from '../rules.ts'
import type { Chunk } from '../codecs/chunk.ts'
import type { DffDocument } from '../codecs/dff.ts'
import type { GeometryView, ModelView } from '../codecs/model.ts'

const MOST_EFFECTS = 255
const UV_CHANNELS = 8

export const plugins = eachClump((place) => {
  for (const geometry of place.clump.geometries) {
    effects(place, geometry)
    nights(place, geometry)
    pieces(place, geometry)
  }
})

function effects({ path, report }: ClumpPlace, { chunk }: GeometryView): void {
  const plugin = pluginOf(chunk, ID.effect2d)
  const list = valueOf(plugin, effect2d)
  if (!plugin || !list) return
  const where = path(plugin)
  if (list.length > MOST_EFFECTS)
    report.say('effect-count', say('lint.effectCount', { count: list.length }), `${where}.count`, plugin.start)
  list.forEach((effect, i) => {
    const at = `${where}.effects[${i}]`
    const values = effectValues(effect)
    if (!values) {
      report.say('effect-type', say('lint.effectType', { i, type: effect.type, count: effect.size }), `${at}.type`, plugin.start)
      return
    }
    for (const [field, value] of Object.entries(values))
      if (NAMES.has(field) && (value as Uint8Array).indexOf(0) < 0)
        report.say('effect-name', say('lint.effectName', { i, name: nameOf(value as Uint8Array) }), `${at}.${field}`, plugin.start)
    if (effect.type === 0)
      light(values as unknown as LightValues, effect, (rule, message, field) => report.say(rule, message, `${at}.${field}`, plugin.start))
  })
}

/** Names that the game copies up to their end; the text of a road sign fills its lines. */
const NAMES: ReadonlySet<string> = new Set(['coronaTexName', 'shadowTexName', 'effectName', 'scriptName', 'interiorName'])

interface LightValues {
  shadowSize: Float32Array
  shadowTexName: Uint8Array
  flags1: number
}

function light(
  { shadowSize, shadowTexName, flags1 }: LightValues,
  { position }: Effect2d,
  found: (rule: 'effect-shadow' | 'effect-hours', message: string, field: string) => void,
): void {
  const place = Array.from(position, (v) => Number(v.toPrecision(4))).join(' ')
  if (shadowSize[0] > 0 && !nameOf(shadowTexName)) found('effect-shadow', say('lint.effectShadow', { place }), 'shadowTexName')
  if (!(flags1 & (AT_DAY | AT_NIGHT))) found('effect-hours', say('lint.effectHours', { place }), 'flags1')
}

function nights({ path, report }: ClumpPlace, { chunk, struct }: GeometryView): void {
  const plugin = pluginOf(chunk, ID.nightColours)
  const value = valueOf(plugin, nightColours)
  if (!plugin || !value || value.flag === 0 || !struct) return
  if (struct.prelit.length === 0) report.say('night-colours', say('lint.nightWithoutDay'), path(plugin), plugin.start)
  if (plugin.data.length > 0)
    report.say(
      'night-colours',
      say('lint.nightCount', { count: (value.colors.length + plugin.data.length) / 4, vertices: struct.numVertices }),
      path(plugin),
      plugin.start,
    )
}

function pieces({ path, report }: ClumpPlace, { chunk }: GeometryView): void {
  const plugin = pluginOf(chunk, ID.breakable)
  const mesh = valueOf(plugin, breakable)?.mesh
  if (!plugin || !mesh) return
  const outside = piecesOutside(mesh)
  if (outside) report.say('breakable-range', say('lint.breakableRange', { count: outside }), `${path(plugin)}.triangles`, plugin.start)
}

/** Triangles of the pieces whose vertices or material are not there. */
function piecesOutside({ triangles, materialOfTriangle, numVertices, numMaterials }: NonNullable<Breakable['mesh']>): number {
  let outside = 0
  for (let t = 0; t < materialOfTriangle.length; t++) {
    const there = Math.max(triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]) < numVertices
    if (!there || materialOfTriangle[t] >= numMaterials) outside++
  }
  return outside
}

/** Animations of texture coordinates: a dictionary in front of the clumps has those that materials name. */
export const uvAnimations: Rule<DffDocument> = (document, report) => {
  const known = new Set(
    document.roots
      .filter((root) => root.type === ID.uvAnimDict)
      .flatMap((root) => root.children ?? [])
      .flatMap((chunk) => valueOf(chunk, animation) ?? [])
      .map((value) => uvAnimationName(value).toLowerCase()),
  )
  const paths = chunkPaths(document.roots)
  eachUvPlugin(readModel(document), (chunk) => {
    const value = valueOf(chunk, uvAnimPlg)
    if (!value) return
    const where = paths.get(chunk) ?? ''
    if (value.mask >>> UV_CHANNELS) report.say('uv-animation', say('lint.uvChannels', { hex: value.mask.toString(16) }), where, chunk.start)
    const missing: string[] = []
    for (let at = 0; at < value.names.length; at += 32) {
      const field = value.names.subarray(at, at + 32)
      const name = nameOf(field)
      if (field.indexOf(0) < 0) report.say('uv-animation', say('lint.uvNameEnd', { name }), where, chunk.start)
      else if (!known.has(name.toLowerCase())) missing.push(name)
    }
    if (missing.length) report.say('uv-animation', say('lint.uvMissing', { names: listed(missing) }), where, chunk.start)
  })
}

function eachUvPlugin({ clumps }: ModelView, look: (chunk: Chunk) => void): void {
  for (const clump of clumps)
    for (const { materials } of clump.geometries)
      for (const material of materials) {
        const plugin = pluginOf(material.chunk, ID.uvAnim)
        if (plugin) look(plugin)
      }
}
