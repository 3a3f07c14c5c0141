// @vitest-environment happy-dom
/** Bytes of a file over an edit: those before stand until the ones of now come, and what did not change is not shown anew. */
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createApp, h, nextTick, shallowRef, type App } from 'vue'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { useModels } from '../../../src/renderer/core/models.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import HexView from '../../../src/renderer/features/inspector/HexView.vue'
import type { Api } from '../../../src/shared/api/transport.ts'

/** of all bytes that are asked for */
let byte = 0x11
/** answers wait until they are let out */
let waiting: (() => void)[] = []
let app: App | undefined

function api(): Api {
  const inner = createFakeApi()
  return {
    on: (name, listener) => inner.on(name, listener),
    call(name: never, args: never, options: never) {
      if (name !== ('model.bytes' as never)) return inner.call(name, args, options)
      const bytes = new Uint8Array((args as { length: number }).length).fill(byte)
      return new Promise((resolve) => waiting.push(() => resolve(bytes as never)))
    },
  } as Api
}

async function answered(): Promise<void> {
  for (const answer of waiting.splice(0)) answer()
  await new Promise((resolve) => setTimeout(resolve))
  await nextTick()
}

async function edited(next: number): Promise<void> {
  byte = next
  const model = useModels().active!
  model.info = { ...model.info, revision: model.info.revision + 1 }
  await nextTick()
}

beforeEach(async () => {
  const pinia = createPinia()
  setActivePinia(pinia)
  byte = 0x11
  waiting = []
  await useSession(pinia).start(api())
  await useModels(pinia).openRef('/games/dark-cloud/chara/c01a.chr!c01a.mds')
})
afterEach(() => {
  app?.unmount()
  document.body.innerHTML = ''
})

it('has bytes in every line while those after an edit are on their way', async () => {
  const file = shallowRef(useModels().info!.files[0].ref)
  app = createApp({ render: () => h(HexView, { fileRef: file.value, start: 0, end: 64 }) })
  const host = document.body.appendChild(document.createElement('div'))
  app.mount(host)
  await nextTick()
  const hex = (): string[] => [...new Set([...host.querySelectorAll('.bytes > span')].map(({ textContent }) => textContent))]
  expect(hex()).toEqual(['··'])
  await answered()
  expect(hex()).toEqual(['11'])

  await edited(0x22)
  expect(hex()).toEqual(['11'])
  await answered()
  expect(hex()).toEqual(['22'])

  // bytes elsewhere changed: the same page
  const changes: MutationRecord[] = []
  const seen = new MutationObserver((records) => changes.push(...records))
  seen.observe(host, { subtree: true, childList: true, characterData: true, attributes: true })
  await edited(0x22)
  expect(waiting).toHaveLength(1)
  await answered()
  expect(changes).toEqual([])
  seen.disconnect()
  await edited(0x33)
  await answered()
  expect(hex()).toEqual(['33'])

  // those of another file are none of this one
  file.value = `${file.value}x`
  await nextTick()
  expect(hex()).toEqual(['··'])
  await answered()
})
