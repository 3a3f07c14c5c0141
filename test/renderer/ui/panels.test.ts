// @vitest-environment happy-dom
import { createPinia, setActivePinia, type Pinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApp, h, nextTick, type App, type Component } from 'vue'
import ChangesPanel from '../../../src/renderer/features/changes/ChangesPanel.vue'
import InspectorPanel from '../../../src/renderer/features/inspector/InspectorPanel.vue'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { useLibrary } from '../../../src/renderer/core/library.ts'
import { useModels } from '../../../src/renderer/core/models.ts'
import { useSelection } from '../../../src/renderer/core/selection.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import { useSlices } from '../../../src/renderer/core/slices.ts'
import SliceTable from '../../../src/renderer/features/timeline/SliceTable.vue'
import Welcome from '../../../src/renderer/features/welcome/Welcome.vue'

let pinia: Pinia
let app: App | null = null

/** happy-dom lays nothing out: lists get a size to fill. */
function giveRoom(): void {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800)
}

function mount(component: Component, props: Record<string, unknown> = {}): HTMLElement {
  const host = document.createElement('div')
  document.body.append(host)
  app = createApp({ render: () => h(component, props) }).use(pinia)
  app.mount(host)
  return host
}

beforeEach(async () => {
  giveRoom()
  pinia = createPinia()
  setActivePinia(pinia)
  await useSession(pinia).start(createFakeApi())
})
afterEach(() => {
  app?.unmount()
  document.body.innerHTML = ''
  vi.restoreAllMocks()
})

async function openModel(): Promise<void> {
  await useLibrary(pinia).open('/games/dark-cloud')
  await useModels(pinia).openRef(useLibrary(pinia).rowAt(0)!.ref)
}

describe('welcome page', () => {
  it('offers folders, the sample and edits that were left behind', async () => {
    const host = mount(Welcome)
    await expect.poll(() => host.textContent).toContain('Unsaved edits from last time')
    expect(host.textContent).toContain('ダーククラウド２')
    // a damaged journal is never deleted
    for (const label of ['Discard edits of f19a', 'Put edits of c01a aside']) {
      const button = (): HTMLButtonElement | null => host.querySelector(`[aria-label="${label}"]`)
      await expect.poll(() => button()?.disabled).toBe(false)
      button()!.click()
      await expect.poll(button).toBeNull()
    }
    await expect.poll(() => host.textContent).not.toContain('Unsaved edits')
    ;[...host.querySelectorAll<HTMLElement>('button')].find((b) => b.textContent!.includes('sample library'))!.click()
    await expect.poll(() => useLibrary(pinia).info?.name).toBe('Marrow sample')
  })

  it('browses folders where the host has no dialog, and says what is wrong with a typed path', async () => {
    const host = mount(Welcome)
    ;[...host.querySelectorAll<HTMLElement>('button')].find((b) => b.textContent!.includes('Open folder'))!.click()
    await expect.poll(() => host.querySelector<HTMLInputElement>('[aria-label="Folder path"]')?.value).toBe('/games')
    const path = host.querySelector<HTMLInputElement>('[aria-label="Folder path"]')!
    path.value = '/nowhere'
    path.dispatchEvent(new Event('input'))
    await nextTick()
    path.closest('form')!.dispatchEvent(new Event('submit', { cancelable: true }))
    await expect.poll(() => host.querySelector('[role=alert]')?.textContent).toBe('There is no such folder')
    expect(useLibrary(pinia).info).toBeNull()
  })
})

describe('slice table', () => {
  it('shows the numbers of the file and edits them in place', async () => {
    await openModel()
    const host = mount(SliceTable)
    await expect.poll(() => host.querySelector('[aria-label="Name of slice 1"]')).toBeTruthy()
    const end = host.querySelector<HTMLInputElement>('[aria-label="End of slice 1"]')!
    expect(end.value).toBe('72')
    end.value = '10'
    end.dispatchEvent(new Event('input', { bubbles: true }))
    await expect.poll(() => host.querySelector('[role=alert]')?.textContent?.trim()).toBe('Slice 1: End is before start')
    end.value = '70'
    end.dispatchEvent(new Event('input', { bubbles: true }))
    end.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    await expect.poll(() => useModels(pinia).scene!.slices[1].end).toBe(70)
  })

  it('leaves the field on Enter though what was said of the text before it still stands there', async () => {
    const fake = createFakeApi()
    let held = false
    let answer = (): void => {}
    await useSession(pinia).start({
      ...fake,
      call: async (name, args, options) => {
        if (held && name === 'slices.check') await new Promise<void>((resolve) => (answer = resolve))
        return fake.call(name, args, options)
      },
    })
    await openModel()
    const host = mount(SliceTable)
    await expect.poll(() => host.querySelector('[aria-label="End of slice 1"]')).toBeTruthy()
    useSlices(pinia).choose(1)
    const end = host.querySelector<HTMLInputElement>('[aria-label="End of slice 1"]')!
    const type = (text: string): void => {
      end.value = text
      end.dispatchEvent(new Event('input', { bubbles: true }))
    }
    end.focus()
    type('7')
    await expect.poll(() => end.dataset.refused).toBeDefined()
    held = true
    type('70')
    await nextTick()
    expect(host.querySelector('[role=alert]')).not.toBeNull()
    end.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    await expect.poll(() => document.activeElement?.role).toBe('grid')
    held = false
    answer()
    await expect.poll(() => useModels(pinia).scene!.slices[1].end).toBe(70)
  })
})

describe('inspector', () => {
  it('shows the model, then what is chosen with its place in the file', async () => {
    await openModel()
    const host = mount(InspectorPanel)
    expect(host.textContent).toContain('Track type 40')
    useSelection(pinia).joint(3)
    await expect.poll(() => host.textContent).toContain('nodes[3]')
    expect(host.textContent).toContain('bind row 3')
    expect(host.querySelector('h2')!.textContent).toBe('chest')
  })

  it('says of a file that no format knows neither a format nor a size', async () => {
    await openModel()
    const models = useModels(pinia)
    const [known, ...others] = models.info!.files
    const unknown = { ...known, format: '', formatLabel: '', size: 0, detail: '', error: 'no format knows this file' }
    models.active!.info = { ...models.info!, files: [unknown, ...others] }
    const host = mount(InspectorPanel)
    const row = host.querySelector('.file')!
    expect(row.textContent).toContain(unknown.error)
    expect(row.querySelector('.sub')!.textContent).toMatch(/^Model · opened/)
    expect(row.textContent).not.toContain('0 B')
    // chosen, neither; and why it belongs to the model is a word of the window
    useSelection(pinia).file(unknown.ref)
    await nextTick()
    expect(host.textContent).toContain(`Model · ${unknown.name}`)
    expect(host.textContent).toContain('Belongs becauseopened')
    expect(host.textContent).not.toContain('0 B')
  })

  it('marks what nobody knows', async () => {
    await openModel()
    const host = mount(InspectorPanel)
    useSelection(pinia).mesh(0)
    await expect.poll(() => host.textContent).toContain('unknown3C')
    expect(host.querySelector('[title^="Nobody knows"]')).toBeTruthy()
  })
})

describe('changes', () => {
  it('say what will be written, before it is', async () => {
    await openModel()
    await useSlices(pinia).set(0, { name: '立ち' })
    const host = mount(ChangesPanel)
    await expect.poll(() => host.textContent).toContain('1 file to write, 6 bytes changed')
    expect(host.textContent).toContain('original will be kept')
    await expect.poll(() => host.textContent).toContain('slices[0].name')
    expect(host.textContent).toContain('待機')
    expect(host.textContent).toContain('立ち')
  })

  it('say so when there are none', async () => {
    await openModel()
    const host = mount(ChangesPanel)
    await expect.poll(() => host.textContent).toContain('Every byte is as it was read')
  })
})
