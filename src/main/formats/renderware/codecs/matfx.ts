/** Material effects PLG: on a material two effects with their textures, on an atomic a switch. */
import { describeChunk } from './chunk-structure.ts'
import { writeChunk } from './chunk-file.ts'
import { i32, record } from '../../../binary/layout.ts'
import { choice } from '../../../binary/field-use.ts'
import { floatBits } from './struct.ts'
import { say } from '../texts/index.ts'
import type { Reader } from '../../../binary/reader.ts'
import type { Writer } from '../../../binary/writer.ts'
import type { Chunk, LeafCodec, LeafScope } from './chunk.ts'
import type { FieldList } from './field-list.ts'

/** The engine's blend functions, from 1. */
const BLENDS = [
  '',
  'zero',
  'one',
  'srcColor',
  'invSrcColor',
  'srcAlpha',
  'invSrcAlpha',
  'destAlpha',
  'invDestAlpha',
  'destColor',
  'invDestColor',
  'srcAlphaSat',
] as const

/** What stands in front of the textures of an effect. */
const BUMP = record({ coefficient: floatBits(1) })
const ENVIRONMENT = record({ coefficient: floatBits(1), frameBufferAlpha: i32 })
const DUAL = record({ srcBlend: choice(i32, BLENDS), dstBlend: choice(i32, BLENDS) })

/** Says what follows. */
const STRUCTURE = { use: { is: 'structure' } } as const

/** A texture that may follow: the flag as stored, and the Texture chunk where it is not zero. */
export interface OptionalTexture {
  has: number
  chunk: Chunk | null
}

export type MatFxEffect =
  | { kind: 0 | 5 }
  | { kind: 1; coefficient: Uint32Array; bumped: OptionalTexture; texture: OptionalTexture }
  | { kind: 2; coefficient: Uint32Array; frameBufferAlpha: number; texture: OptionalTexture }
  | { kind: 4; srcBlend: number; dstBlend: number; texture: OptionalTexture }

export interface MatFx {
  type: number
  effects: MatFxEffect[]
}

function readTexture(r: Reader, scope: LeafScope): OptionalTexture {
  const has = r.u32('hasTexture')
  return { has, chunk: has ? scope.nested(r) : null }
}

function writeTexture(texture: OptionalTexture, out: Writer): void {
  out.u32(texture.has)
  if (texture.chunk) writeChunk(texture.chunk, out)
}

function textureFields(list: FieldList, name: string, texture: OptionalTexture): void {
  list.add(`has${name}`, 'i32', 4, texture.has, STRUCTURE)
  if (!texture.chunk) return
  list.children.push(describeChunk(texture.chunk, name.toLowerCase()))
  list.at += texture.chunk.end - texture.chunk.start
}

export const matFx: LeafCodec<MatFx> = {
  id: 'matFx',
  fixed: -1,
  read(r, scope) {
    const type = r.u32('type')
    const effects: MatFxEffect[] = []
    for (let i = 0; i < 2; i++) {
      const kind = r.u32('kind')
      if (kind === 1) effects.push({ kind, ...BUMP.read(r), bumped: readTexture(r, scope), texture: readTexture(r, scope) })
      else if (kind === 2) {
        // every material of a vehicle has one of this kind: fields are named, since a spread of the record is slower
        const { coefficient, frameBufferAlpha } = ENVIRONMENT.read(r)
        effects.push({ kind, coefficient, frameBufferAlpha, texture: readTexture(r, scope) })
      } else if (kind === 4) effects.push({ kind, ...DUAL.read(r), texture: readTexture(r, scope) })
      else if (kind === 0 || kind === 5) effects.push({ kind })
      else
        r.fail('bad-value', say('codecs.unknownEffect', { kind }), 'kind', {
          offset: r.position - 4,
          expected: '0, 1, 2, 4, 5',
          actual: String(kind),
        })
    }
    return { type, effects }
  },
  write(v, out) {
    out.u32(v.type)
    for (const e of v.effects) {
      out.u32(e.kind)
      if (e.kind === 1) {
        BUMP.write(out, e)
        writeTexture(e.bumped, out)
        writeTexture(e.texture, out)
      } else if (e.kind === 2) {
        ENVIRONMENT.write(out, e)
        writeTexture(e.texture, out)
      } else if (e.kind === 4) {
        DUAL.write(out, e)
        writeTexture(e.texture, out)
      }
    }
  },
  fields(v, list) {
    list.add('type', 'u32', 4, v.type, { note: say('codecs.matFxTypes'), ...STRUCTURE })
    v.effects.forEach((e, i) =>
      list.group(`effects[${i}]`, say('codecs.nodes.effect'), (g) => {
        g.add('kind', 'u32', 4, e.kind, STRUCTURE)
        if (e.kind === 1) {
          g.record(BUMP, e)
          textureFields(g, 'BumpTexture', e.bumped)
          textureFields(g, 'Texture', e.texture)
        } else if (e.kind === 2) {
          g.record(ENVIRONMENT, e)
          textureFields(g, 'Texture', e.texture)
        } else if (e.kind === 4) {
          g.record(DUAL, e)
          textureFields(g, 'Texture', e.texture)
        }
      }),
    )
  },
}
