/** The rules of all families, and what they find in a whole library. */
import { allRules } from '../../formats/rule-choice.ts'
import type { CallContext, HandlersOf } from './context.ts'

export function lintCalls({ store, libraries, state, runners, emit }: CallContext): HandlersOf<'lint'> {
  return {
    'lint.rules': () => allRules(store.registry),
    'lint.library': ({ library, onlyNew = false }, { signal }) => {
      const { id, root } = libraries.get(library)
      // it leaves nothing half done
      return runners.lints.run(
        { kind: 'lint', root, leftOut: state.leftOut(root), onlyNew },
        {
          signal,
          patience: 0,
          onProgress: ({ done, total, current, problems = [] }) => emit('lint.progress', { library: id, done, total, current, problems }),
        },
      )
    },
  }
}
