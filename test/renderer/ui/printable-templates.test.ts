import { compileTemplate } from 'vue/compiler-sfc'
import { describe, expect, it } from 'vitest'
import { templateOptions } from '../../../scripts/lib/printable-templates.mjs'

function compiled(source: string, inline = true): string {
  const { code, errors } = compileTemplate({
    source,
    id: 'x',
    filename: 'x.vue',
    compilerOptions: {
      ...templateOptions.template!.compilerOptions,
      inline,
      // a constant of the component, which the compiler would take out of the render function
      bindingMetadata: { LABEL: 'literal-const' as never, name: 'setup-ref' as never },
    },
  })
  expect(errors).toEqual([])
  return code
}

describe('templates of the window', () => {
  it.each([true, false])('put every text through the formatter (inline: %s)', (inline) => {
    const code = compiled('<p :title="name" :class="name" title="fixed">{{ name }} of {{ LABEL }}</p>', inline)
    expect(code.match(/_ctx\.\$printable\(/g)).toHaveLength(3)
    // within the render function, where the context is
    expect(code.indexOf('_ctx.$printable')).toBeGreaterThan(code.search(/\(_ctx, _cache/))
    expect(code).not.toMatch(/_hoisted[^\n]*\$printable/)
  })

  it('reach into slots, lists and attributes that are read aloud', () => {
    const code = compiled(
      '<List v-for="row in name"><template #x="{ at }"><b :aria-label="at">{{ row }}</b><img :alt="at"></template></List>',
    )
    expect(code.match(/_ctx\.\$printable\(/g)).toHaveLength(3)
  })
})
