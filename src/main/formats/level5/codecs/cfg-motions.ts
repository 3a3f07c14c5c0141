/** What a script says: its MOTION blocks with their windows, and the files that it names. */
import { stepsOf } from '../../address.ts'
import { argNumber, argText, commentText } from './cfg-text.ts'
import type { CfgStatement, CfgDialect, CfgDocument } from './cfg-text.ts'

export interface CfgKey {
  statement: CfgStatement
  name: string
  start: number
  end: number
  speed: number
  /** arguments are missing or no numbers: the game reads on into the next statement */
  broken: boolean
}

/** A MOTION block with its windows. A file may have several (up to 8 in DC1). */
export interface CfgMotion {
  /** the number behind MOTION, -1 when KEYs stand outside any block */
  number: number
  statement?: CfgStatement
  mot: string
  bbp: string
  wgt: string
  keyStart?: CfgStatement
  keys: CfgKey[]
  keyEnd?: CfgStatement
  motionEnd?: CfgStatement
}

function keyOf(statement: CfgStatement, dialect: CfgDialect): CfgKey {
  const named = statement.args[0]?.kind === 'string'
  const numbers = statement.args.slice(named ? 1 : 0).map(argNumber)
  return {
    statement,
    name: named ? argText(statement.args[0]) : dialect === 'dc1' ? commentText(statement.comment) : '',
    start: numbers[0] ?? 0,
    end: numbers[1] ?? 0,
    speed: numbers[2] ?? 0,
    broken: numbers.length < 3 || numbers.slice(0, 3).some((v) => v === undefined),
  }
}

function newMotionBlock(number: number, statement?: CfgStatement): CfgMotion {
  const strings = statement?.args.filter((a) => a.kind === 'string').map(argText) ?? []
  return { number, statement, mot: strings[0] ?? '', bbp: strings[1] ?? '', wgt: strings[2] ?? '', keys: [] }
}

/** The MOTION blocks in file order, each with its KEY list. KEYs of SHADOW_MOTION are none: it has no list of its own. */
export function cfgMotions(document: CfgDocument): CfgMotion[] {
  const out: CfgMotion[] = []
  let open: CfgMotion | undefined
  const current = (): CfgMotion => {
    if (!open) {
      open = newMotionBlock(-1)
      out.push(open)
    }
    return open
  }
  for (const statement of document.statements) {
    switch (statement.command) {
      case 'MOTION':
        open = newMotionBlock(argNumber(statement.args[0]) ?? 0, statement)
        out.push(open)
        break
      case 'KEY_START':
        current().keyStart ??= statement
        break
      case 'KEY':
        current().keys.push(keyOf(statement, document.dialect))
        break
      case 'KEY_END':
        if (open) open.keyEnd ??= statement
        break
      case 'MOTION_END':
        if (open) open.motionEnd = statement
        open = undefined
        break
    }
  }
  return out
}

/** Files that the script names. */
export function cfgFiles(document: CfgDocument): { model: string[]; shadowModel: string[]; images: string[]; motions: CfgMotion[] } {
  const strings = (command: string): string[] =>
    document.statements
      .filter((s) => s.command === command)
      .flatMap((s) =>
        s.args
          .filter((a) => a.kind === 'string')
          .map(argText)
          .filter(Boolean),
      )
  return { model: strings('MODEL'), shadowModel: strings('SHADOW_MODEL'), images: strings('IMG'), motions: cfgMotions(document) }
}

/** Path of a KEY in the document, as slices carry it. */
export function keyPath(motion: number, key: number): string {
  return `motions[${motion}].keys[${key}]`
}

export function keyAt(
  document: CfgDocument,
  path: string,
): { motion: CfgMotion; motionIndex: number; keyIndex: number; key: CfgKey } | undefined {
  const [{ name, number: motionIndex = -1 }, { name: part = '', number: keyIndex = -1 } = {}, ...more] = stepsOf(path)
  if (name !== 'motions' || part !== 'keys' || more.length > 0) return undefined
  const motion = cfgMotions(document)[motionIndex]
  const key = motion?.keys[keyIndex]
  return key ? { motion, motionIndex, keyIndex, key } : undefined
}
