// Lint for texts: what people read stands in the catalogue (src/shared/texts) and nowhere else. What reads as prose is found, and every string
// that is handed to what shows it: a title, a label, a message, what a part of a file is. A single word is found where it is declared as no more
// than a `string`, too: what a function gives, a variable holds, a table has. Ids say there what they are by a type of their own (`RoleId`).
// Keys, styles and messages of programming errors are no texts.
import { FAMILIES } from './families.mjs'

/** Attributes and properties that people read. */
const SHOWN = new Set(
  'title label aria-label ariaLabel aria-description aria-valuetext aria-roledescription placeholder alt hint text detail message words note none unit tip caption prompt summary heading help'.split(
    ' ',
  ),
)
/** Attributes whose words are for the browser. */
const FOR_THE_BROWSER =
  /^(class|style|id|key|ref|name|type|role|rel|d|viewBox|points|transform|data-.*|accept|autocomplete|.*-class|.*-selector)$/

const LETTERS = /\p{L}/u
const WORD = /\p{L}{2}/u
/** Two words with a space between them. */
const PROSE = /\p{L}{2,}[\p{P}\p{S}]* +[\p{Ps}\p{Pi}]*\p{L}/u
/** One word alone, as ids are written too. */
const ONE_WORD = /^\p{L}\p{Ll}+$/u
/** `area.name`, of the catalogue or of commands. */
const KEY = /^[a-z][\w-]*(\.[\w-]+)+$/
/** Calls that show one of what they are handed, by its place: tips, and what a part of a file is. */
const SHOWN_ARGUMENT = new Map([
  ['tip', 0],
  ['node', 1],
])
/** Functions that take strings which nobody reads. */
const OF_THE_CODE =
  /^(?:querySelector(?:All)?|matchMedia|useMediaQuery|closest|matches|getElementById|addEventListener|setAttribute|defineStore|define(?:Props|Emits)|isText|Symbol|RegExp|Error|TypeError|RangeError|MessageError|DecodeError|Damaged|Foreign|setHeader|import)$/

/** SQL, by its words in capitals, and types of bodies with their coding. */
const OF_ANOTHER_LANGUAGE =
  /(?:^|[\s(])(?:SELECT|INSERT|UPDATE|DELETE|CREATE|BEGIN|FROM|WHERE|LIKE|IN|IS NOT NULL)(?=[\s(]|$)|^[a-z]+\/[\w.+-]+; charset=/
/** Types of fields in files, which descriptions give: `{f32 time, u8[4] color}`, `u16 x 3`. */
const FIELD_TYPE = /^\{?(?:(?:[iuf]\d+|vec\d)(?=[\s[/])|(?:half|char)(?=\[)|(?:bit|bitcode|timecode)(?= (?:x|time)\b))/
/** Units of time by their ids; what shows one says its name. */
const UNIT_OF_TIME = /^(?:frame|ms|s)$/
/** What formats call things: columns of several fields, words of their scripts (`#MESH_LIST`). */
const OF_A_FORMAT = /^\{[^{}]*(?:[uif](?:8|16|32|64)|char|pad|comp[48])\b[^{}]*\}|^[#$]?[A-Z][A-Z0-9_]+(?: [A-Z][A-Z0-9_]+)* *$/
/** Names are the same in every language: the product's, and those of the games. */
const NAMES = new Set(['Marrow', ...FAMILIES.map(({ label }) => label)])

const nameOf = (node) => {
  if (!node) return ''
  if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') return node.name
  if (node.type === 'Literal') return String(node.value)
  if (node.type === 'MemberExpression') return nameOf(node.property)
  return ''
}

/** A key, or a key that is put together of parts. */
const isKey = (words) => KEY.test(words.replaceAll(' 0 ', 'x'))

/** What a literal or template says, its expressions left out. */
const wordsOf = (node) => (node.type === 'TemplateLiteral' ? node.quasis.map((q) => q.value.cooked ?? '').join(' 0 ') : node.value)

/** Up through what hands a value on, to where it goes. */
function destination(node) {
  let at = node
  for (;;) {
    const up = at.parent
    if (!up) return { at, up }
    const handsOn =
      (up.type === 'ConditionalExpression' && up.test !== at) ||
      (up.type === 'LogicalExpression' && (up.operator !== '&&' || up.right === at)) ||
      (up.type === 'BinaryExpression' && up.operator === '+') ||
      ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'TemplateLiteral', 'ChainExpression'].includes(up.type)
    if (!handsOn) return { at, up }
    at = up
  }
}

/** The literal is compared, looked up, or names something in the code. */
function isOfTheCode(node) {
  const { at, up } = destination(node)
  if (!up) return false
  switch (up.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSLiteralType':
    case 'TSExternalModuleReference':
    case 'TSEnumMember':
    case 'SwitchCase':
    case 'TaggedTemplateExpression':
      return true
    case 'BinaryExpression':
      return true
    case 'MemberExpression':
      return up.property === at
    case 'Property':
      return up.key === at && !up.computed
    case 'ExpressionStatement':
      return typeof up.directive === 'string'
    case 'CallExpression':
    case 'NewExpression': {
      if (up.callee === at) return false
      const name = nameOf(up.callee)
      // a method of that name is handed what it says: a report
      if (name === 'say') return up.callee.type === 'Identifier'
      return OF_THE_CODE.test(name) || (up.callee.type === 'MemberExpression' && ['console', 'log'].includes(nameOf(up.callee.object)))
    }
    case 'AssignmentExpression':
      // element.style.font = …
      return up.left.type === 'MemberExpression' && (nameOf(up.left.object) === 'style' || nameOf(up.left.property) === 'font')
    default:
      return false
  }
}

/** The value goes to what shows it. */
function isShown(node) {
  const { at, up } = destination(node)
  if (!up) return false
  if (up.type === 'CallExpression' && SHOWN_ARGUMENT.has(nameOf(up.callee)))
    return up.arguments[SHOWN_ARGUMENT.get(nameOf(up.callee))] === at
  if (up.type === 'Property' && up.value === at)
    return SHOWN.has(nameOf(up.key)) && !(nameOf(up.key) === 'unit' && UNIT_OF_TIME.test(node.value))
  if (up.type === 'AssignmentExpression' && up.right === at)
    return SHOWN.has(nameOf(up.left)) || ['textContent', 'innerText'].includes(nameOf(up.left))
  if (up.type === 'ArrowFunctionExpression' && up.body === at && up.parent?.type === 'Property') return SHOWN.has(nameOf(up.parent.key))
  return false
}

/** `string`, and nothing that would say which: a union with what stands for nothing is one too. */
function isPlainString(type) {
  if (type?.type === 'TSUnionType')
    return (
      type.types.some(isPlainString) &&
      type.types.every((t) => isPlainString(t) || ['TSUndefinedKeyword', 'TSNullKeyword'].includes(t.type))
    )
  return type?.type === 'TSStringKeyword'
}

/** A table whose values are plain strings. */
const isPlainTable = (type) =>
  type?.type === 'TSTypeReference' &&
  (nameOf(type.typeName) === 'Record'
    ? isPlainString(type.typeArguments?.params[1])
    : ['Readonly', 'Partial'].includes(nameOf(type.typeName)) && isPlainTable(type.typeArguments?.params[0]))

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']

/** The value goes where a plain string is declared: what a function gives, a variable holds, a table has. */
function isSomeString(node) {
  const { at, up } = destination(node)
  if (!up) return false
  const declared = (of) => of?.typeAnnotation?.typeAnnotation
  if (up.type === 'ReturnStatement' || (up.type === 'ArrowFunctionExpression' && up.body === at)) {
    let made = up
    while (made && !FUNCTIONS.includes(made.type)) made = made.parent
    return isPlainString(made?.returnType?.typeAnnotation)
  }
  if (up.type === 'VariableDeclarator') return isPlainString(declared(up.id))
  if (up.type === 'PropertyDefinition') return up.value === at && isPlainString(declared(up))
  if (up.type === 'AssignmentPattern') return isPlainString(declared(up.left))
  if (up.type === 'Property' && up.value === at && up.parent.parent?.type === 'VariableDeclarator')
    return isPlainTable(declared(up.parent.parent.id))
  return false
}

/** Every text of people stands in the catalogue. */
const inCatalogue = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      loose:
        'A text outside of the catalogue: {{ text }}. Give it a key in src/shared/texts/en, or in texts/ of its family, and say it by that.',
    },
  },
  create(context) {
    const report = (node, text) => context.report({ node, messageId: 'loose', data: { text: JSON.stringify(text.trim().slice(0, 60)) } })

    /** @param shown the value is read by people whatever it is */
    function look(node, shown) {
      if (node.type === 'Literal' && typeof node.value !== 'string') return
      const words = wordsOf(node)
      if (!LETTERS.test(words) || NAMES.has(words) || isOfTheCode(node)) return
      if (OF_ANOTHER_LANGUAGE.test(words) || FIELD_TYPE.test(words) || OF_A_FORMAT.test(words)) return
      if (shown || isShown(node) || (ONE_WORD.test(words) && isSomeString(node)) ? WORD.test(words) && !isKey(words) : PROSE.test(words))
        report(node, words)
    }

    const script = { Literal: (node) => look(node, false), TemplateLiteral: (node) => look(node, false) }
    const services = context.sourceCode.parserServices
    if (!services.defineTemplateBodyVisitor) return script

    /** The attribute of a template, or the text, that an expression is the value of. */
    function placeOf(node) {
      for (let at = node.parent; at; at = at.parent) {
        if (at.type === 'VExpressionContainer') {
          if (at.parent.type === 'VElement') return 'text'
          if (at.parent.type !== 'VAttribute') return ''
          const { key } = at.parent
          return key.name.name === 'bind' ? (key.argument?.name ?? '') : key.name.name === 'text' ? 'text' : ''
        }
      }
      return ''
    }
    const inTemplate = (node) => {
      const place = placeOf(node)
      if (FOR_THE_BROWSER.test(place) && place !== 'name') return
      const { up } = destination(node)
      const whole = up?.type === 'VExpressionContainer'
      look(node, whole && SHOWN.has(place))
    }
    return services.defineTemplateBodyVisitor(
      {
        VText(node) {
          if (LETTERS.test(node.value) && !['style', 'script'].includes(node.parent.name)) report(node, node.value)
        },
        'VAttribute[directive=false]'(node) {
          const name = node.key.name
          if (!node.value || FOR_THE_BROWSER.test(name)) return
          const { value } = node.value
          if (SHOWN.has(name) ? LETTERS.test(value) && !KEY.test(value) : PROSE.test(value) || /^\p{Lu}\p{Ll}/u.test(value))
            report(node.value, value)
        },
        Literal: inTemplate,
        TemplateLiteral: inTemplate,
      },
      script,
    )
  },
}

const LATE = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression', 'PropertyDefinition'])

/** A module that says something while it loads does so before the language is chosen. */
const saidLate = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { early: 'Said while the module loads, before its process has chosen a language: keep the key, say it where it is shown.' },
  },
  create(context) {
    // a component's script is a function
    if (context.filename.endsWith('.vue')) return {}
    return {
      "CallExpression[callee.name='say']"(node) {
        for (let at = node.parent; at; at = at.parent) if (LATE.has(at.type)) return
        context.report({ node, messageId: 'early' })
      },
    }
  },
}

export default { rules: { 'in-catalogue': inCatalogue, 'said-late': saidLate } }
