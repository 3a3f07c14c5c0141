/**
 * Object lists (.ide): which model goes with which texture dictionary. Text in sections, `objs` to `end`, one object a line, values parted by
 * commas (spaces in III), `#` begins a comment [W]. The text is the document; only what pairs files is read.
 */
import { extensionOf } from '../../../../shared/ref.ts'
import { Diagnostics } from '../../format.ts'
import { field, node } from '../../../binary/structure.ts'
import { say } from '../texts/index.ts'
import type { Document, FileFormat } from '../../format.ts'

export interface IdePair {
  section: string
  model: string
  /** without extension; '' or `null` in the file for none */
  txd: string
}

export interface IdeDocument extends Document {
  readonly format: 'renderware.ide'
  text: Uint8Array
  pairs: IdePair[]
  /** dictionaries and the one that each falls back on (`txdp`, San Andreas) */
  parents: { txd: string; parent: string }[]
}

/** Sections whose lines begin with a number, a model and a dictionary. */
const PAIRING = new Set(['objs', 'tobj', 'hier', 'anim', 'weap', 'cars', 'peds'])
const SECTIONS = new Set([...PAIRING, 'txdp', '2dfx', 'path', 'mlo', 'hand'])
/** A game has some twenty thousand objects in all of its lists. */
const MOST_LINES = 200_000

function linesOf(bytes: Uint8Array): string[] {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1').split('\n', MOST_LINES)
}

/** Files that stand for a name in keys and file names: a plain word. */
const PLAIN = /^[\w.\- +@]{1,40}$/

export const ideFormat: FileFormat<IdeDocument> = {
  id: 'renderware.ide',
  get label() {
    return say('codecs.ide')
  },
  family: 'renderware',
  kind: 'text',
  extensions: ['ide'],
  identify(head, name) {
    if (extensionOf(name) !== 'ide' || head.includes(0)) return 0
    return linesOf(head).some((line) => SECTIONS.has(line.trim().toLowerCase())) ? 0.9 : 0
  },
  decode(bytes, ref) {
    const pairs: IdePair[] = []
    const parents: IdeDocument['parents'] = []
    let section = ''
    for (const line of linesOf(bytes)) {
      const text = line.replace(/#.*$/, '').trim()
      if (!text) continue
      const word = text.toLowerCase()
      if (word === 'end') section = ''
      else if (SECTIONS.has(word)) section = word
      else if (section === 'txdp') {
        const [txd, parent] = text.split(/[\s,]+/)
        if (txd && parent && PLAIN.test(txd) && PLAIN.test(parent)) parents.push({ txd, parent })
      } else if (PAIRING.has(section)) {
        // spaces part values where there is no comma
        const [id, model, txd] = text.includes(',') ? text.split(',').map((v) => v.trim()) : text.split(/\s+/)
        if (/^\d+$/.test(id) && model && PLAIN.test(model))
          pairs.push({ section, model, txd: txd && PLAIN.test(txd) && txd.toLowerCase() !== 'null' ? txd : '' })
      }
    }
    return { format: 'renderware.ide', ref, diagnostics: new Diagnostics(ref).list, text: bytes, pairs, parents }
  },
  encode: (document, out) => out.raw(document.text),
  describe: (document) =>
    node('ide', say('codecs.ide'), { start: 0, end: document.text.length }, [
      field('text', `char[${document.text.length}]`, 0, document.text.length, say('codecs.objectCount', { count: document.pairs.length }), {
        use: { is: 'structure' },
      }),
    ]),
  summarize(document) {
    const named = document.pairs.filter((p) => p.txd)
    return {
      provides: [
        ...new Set([
          ...named.flatMap((p) => [modelKey(p.model), pairKey(p.model, p.txd)]),
          ...document.parents.flatMap((p) => [parentKey(p.txd), parentKey(p.txd, p.parent)]),
        ]),
      ],
      note: say('codecs.objectCount', { count: document.pairs.length }),
    }
  },
}

/** Keys of the library: a list that names a model, and what it pairs the model with. */
export const modelKey = (model: string): string => `renderware.ide:${model.toLowerCase()}`
export const pairKey = (model: string, txd = ''): string => `renderware.ide-txd:${model.toLowerCase()}>${txd.toLowerCase()}`
export const parentKey = (txd: string, parent = ''): string => `renderware.ide-parent:${txd.toLowerCase()}>${parent.toLowerCase()}`
