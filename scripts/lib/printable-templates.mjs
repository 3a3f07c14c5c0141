// What the window's templates show of names: every text between {{ }} and in the attributes that are read to people goes through `printable`
// (src/shared/printable.ts), so that no component has to remember it. main.ts gives the templates `$printable`.

/** Kinds of nodes of Vue's template compiler (NodeTypes of @vue/compiler-core). */
const SIMPLE_EXPRESSION = 4
const INTERPOLATION = 5
const DIRECTIVE = 7
const COMPOUND_EXPRESSION = 8
const ELEMENT = 1

const SHOWN = new Set(['title', 'aria-label', 'aria-description', 'aria-valuetext', 'alt', 'placeholder'])

function wrapped(expression) {
  const { loc } = expression
  // not constant: what is hoisted out of the render function has no context there
  const call = { type: SIMPLE_EXPRESSION, content: '_ctx.$printable', isStatic: false, constType: 0, loc }
  return { type: COMPOUND_EXPRESSION, loc, children: [call, '(', expression, ')'] }
}

/** A node transform; it runs behind the compiler's own, which have resolved names by then. */
function printableTemplates(node) {
  if (node.type === INTERPOLATION) node.content = wrapped(node.content)
  else if (node.type === ELEMENT)
    for (const prop of node.props)
      if (prop.type === DIRECTIVE && prop.name === 'bind' && prop.exp && prop.arg?.isStatic && SHOWN.has(prop.arg.content))
        prop.exp = wrapped(prop.exp)
}

/** For the plugin of Vue. */
export const templateOptions = { template: { compilerOptions: { nodeTransforms: [printableTemplates] } } }
