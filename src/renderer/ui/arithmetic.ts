/** Arithmetic as it is typed into a number field: `45/2`, `2*(3+1)`, and `+10`, `*2`, `/3`, `-=5`, which start from the number that is there. */

const FROM_NOW = /^([+*/]=?|-=)/
const TOKEN = /\s*(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|[-+*/()])\s*/giy

/**
 * @param now the number that the field holds
 * @returns NaN where the text is no arithmetic, or has no finite result
 */
export function calculate(text: string, now: number): number {
  const typed = text.trim().replaceAll(',', '.').replaceAll('×', '*').replaceAll('÷', '/').replaceAll('−', '-')
  const from = FROM_NOW.exec(typed)?.[0] ?? ''
  const rest = new Terms(typed.slice(from.length)).result()
  const value = from === '' ? rest : apply(from[0], now, rest)
  return Number.isFinite(value) ? value : NaN
}

function apply(operator: string, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    default:
      return a / b
  }
}

/** Sums of products of numbers, signs and brackets, from left to right. */
class Terms {
  private readonly tokens: readonly string[]
  private at = 0

  constructor(text: string) {
    const tokens = [...text.matchAll(TOKEN)]
    const whole = tokens.reduce((length, [all]) => length + all.length, 0) === text.length
    this.tokens = whole ? tokens.map(([, token]) => token) : []
  }

  result(): number {
    const value = this.sum()
    return this.at === this.tokens.length ? value : NaN
  }

  private sum(): number {
    let value = this.product()
    while (this.is('+', '-')) value = apply(this.tokens[this.at++], value, this.product())
    return value
  }

  private product(): number {
    let value = this.signed()
    while (this.is('*', '/')) value = apply(this.tokens[this.at++], value, this.signed())
    return value
  }

  private signed(): number {
    let sign = 1
    while (this.is('+', '-')) if (this.tokens[this.at++] === '-') sign = -sign
    return sign * this.single()
  }

  private single(): number {
    const token = this.tokens[this.at++]
    if (token !== '(') return token === undefined ? NaN : Number(token)
    const value = this.sum()
    return this.tokens[this.at++] === ')' ? value : NaN
  }

  private is(...operators: string[]): boolean {
    return operators.includes(this.tokens[this.at])
  }
}
