/**
 * Render attributes in a node's name, behind `__` (mgSetFrameAttr of the DC2 engine; samples `__cappz`, `__czapp`, `__ba`,
 * `__by1`). Letters stand for themselves or take what follows them; others (numbers that make names unique) mean nothing.
 */
export interface NodeAttributes {
  /** c: drawn without lighting */
  unlit: boolean
  /** n: clipped differently in DC2; in DC1 two-sided, which is the default there */
  clip: boolean
  /** s: back faces are culled [one source, DC1] */
  backCulled: boolean
  /** aPP, aNN, aOF */
  blend: 'default' | 'additive' | 'subtractive' | 'opaque'
  /** aHH: alpha-test reference on the PS2's scale (0x80 is opaque), -1 for none */
  alphaRef: number
  /** z */
  noDepthWrite: boolean
  /** o */
  ignoreDepth: boolean
  /** f */
  noFog: boolean
  /** t */
  ambientBoost: boolean
  /** v: not drawn */
  hidden: boolean
  billboard: 'none' | 'y' | 'full'
  /** letters that are not drawn: m is fog by vertex in DC1 [one source], of others nobody has said anything */
  unknown: string
}

export function nodeAttributes(name: string): NodeAttributes {
  const out: NodeAttributes = {
    unlit: false,
    clip: false,
    backCulled: false,
    blend: 'default',
    alphaRef: -1,
    noDepthWrite: false,
    ignoreDepth: false,
    noFog: false,
    ambientBoost: false,
    hidden: false,
    billboard: 'none',
    unknown: '',
  }
  const cut = name.indexOf('__')
  if (cut < 0) return out
  const text = name.slice(cut + 2).toLowerCase()
  for (let i = 0; i < text.length; i++) {
    switch (text[i]) {
      case 'c':
        out.unlit = true
        break
      case 'n':
        out.clip = true
        break
      case 'a': {
        const two = text.slice(i + 1, i + 3)
        if (two === 'pp') out.blend = 'additive'
        else if (two === 'nn') out.blend = 'subtractive'
        else if (two === 'of') out.blend = 'opaque'
        else if (/^[0-9a-f]{2}$/.test(two)) out.alphaRef = parseInt(two, 16)
        else {
          out.unknown += 'a'
          break
        }
        i += 2
        break
      }
      case 'b':
        if (text[i + 1] === 'y') out.billboard = 'y'
        else if (text[i + 1] === 'a') out.billboard = 'full'
        else {
          out.unknown += 'b'
          break
        }
        i++
        break
      case 'z':
        out.noDepthWrite = true
        break
      case 'f':
        out.noFog = true
        break
      case 't':
        out.ambientBoost = true
        break
      case 'o':
        out.ignoreDepth = true
        break
      case 'v':
        out.hidden = true
        while (i + 1 < text.length && /[0-9]/.test(text[i + 1])) i++
        break
      case 's':
        out.backCulled = true
        break
      case 'm':
        out.unknown += text[i]
        break
    }
  }
  return out
}
