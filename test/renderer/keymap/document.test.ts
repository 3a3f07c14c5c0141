import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { expect, it } from 'vitest'
import { keysDocument } from './keys-document.ts'

// vitest -u writes it anew
it('docs/keys.md is what the keymap says', async () => {
  const file = join(import.meta.dirname, '../../../docs/keys.md')
  const text = await format(keysDocument(), { ...(await resolveConfig(file)), parser: 'markdown' })
  await expect(text).toMatchFileSnapshot(file)
})
