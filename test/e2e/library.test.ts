import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { FormatError } from '../../src/main/binary/format-error.ts'
import type { Services } from '../../src/main/services/service.ts'
import { sampleFiles } from '../support/sample.ts'
import { writeFiles } from '../workspace/support.ts'
import { accessFindings } from './axe.ts'
import { afterAll, describe, expect, test } from './harness.ts'
import { runCommand } from './steps.ts'

/** The tests know no DOM: the page's own globals. */
declare const document: any

const base = mkdtempSync(join(tmpdir(), 'marrow-e2e-'))
const game = join(base, 'game')
// few models, so that all have their picture soon; one of them is broken
const wanted = sampleFiles().filter(({ path }) =>
  /^(San Andreas\/models\/peds|Lost Saga\/resource\/(mesh|texture)|Dark Cloud 2)\//.test(path),
)
const mds = wanted.find(({ path }) => path.endsWith('.mds'))!
writeFiles(
  game,
  Object.fromEntries([...wanted, { path: '壊れた/broken.mds', bytes: mds.bytes.subarray(0, 100) }].map(({ path, bytes }) => [path, bytes])),
)
afterAll(() => rmSync(base, { recursive: true, force: true }))

/** Of every picture: the share of its pixels that something is drawn on, and whether the corner is empty. */
const pictures = (page: Page): Promise<{ covered: number; corner: number }[]> =>
  page.evaluate(async () => {
    const out = []
    for (const image of document.querySelectorAll('.picture img')) {
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = image.naturalWidth
      canvas.height = image.naturalHeight
      const context = canvas.getContext('2d')
      context.drawImage(image, 0, 0)
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
      let n = 0
      for (let i = 3; i < data.length; i += 4) if (data[i] > 128) n++
      out.push({ covered: (4 * n) / data.length, corner: data[3] })
    }
    return out
  })

describe('pictures in the library', () => {
  test('come by themselves, in the list and as tiles, without a row that moves', async ({ startApp, place }) => {
    const state = join(place, 'state')
    const first = await startApp({ folder: game, state })
    const { page } = first
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    const rows = page.getByRole('listbox', { name: 'Models' }).getByRole('option')
    const boxes = async () => Promise.all((await rows.all()).map((row) => row.boundingBox()))
    const before = await boxes()
    const models = before.length
    expect(models).toBeGreaterThan(4)
    await expect.poll(() => page.locator('.picture img:visible').count(), { timeout: 60_000 }).toBe(models)
    await expect.poll(boxes).toEqual(before)
    for (const { covered, corner } of await pictures(page)) {
      expect(corner).toBe(0)
      expect(covered).toBeGreaterThan(0.03)
      expect(covered).toBeLessThan(0.95)
    }

    // tiles: the arrow keys go in all directions, Enter opens
    await page.getByRole('button', { name: 'Pictures' }).click()
    const tiles = page.getByRole('listbox', { name: 'Models' })
    await tiles.focus()
    const active = () =>
      tiles.evaluate((list: any) =>
        Number(document.getElementById(list.getAttribute('aria-activedescendant')).getAttribute('aria-posinset')),
      )
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await expect.poll(active).toBe(2)
    await page.keyboard.press('End')
    await expect.poll(active).toBe(models)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(active).toBe(models - 1)
    await expect.poll(() => page.locator('.picture img:visible').count()).toBe(models)
    await page.getByRole('button', { name: 'Errors 1' }).click()
    await page.getByText('broken.mds').filter({ visible: true }).waitFor()
    await page.getByRole('button', { name: 'List', exact: true }).click()
    // in words, not as programs tell it
    await expect
      .poll(() =>
        page
          .getByRole('option', { name: /broken\.mds/ })
          .locator('.tag')
          .innerText(),
      )
      .toBe('wrong count or size')
    await page.getByRole('button', { name: 'Pictures' }).click()
    await page.getByRole('button', { name: `Models ${models}` }).click()
    await tiles.getByText('adventurer').first().waitFor()
    await tiles.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('tab').count(), { timeout: 20_000 }).toBeGreaterThan(1)
    await first.close()

    // the next start shows the same view with the pictures that are there
    const again = await startApp({ folder: game, state })
    await expect.poll(() => again.page.locator('.tile .picture img').count(), { timeout: 20_000 }).toBe(models)
  })

  test('have a sign of their kind that shimmers while they are made, and stands still where no motion is wanted', async ({
    startApp,
    place,
  }) => {
    const { page, services } = await startApp({ sample: true, state: join(place, 'made') })
    const making = services.handlers['library.pictureScene']
    const made = Promise.withResolvers<void>()
    services.handlers['library.pictureScene'] = async (...args) => {
      await made.promise
      return making(...args)
    }
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    const row = (name: string) => page.getByRole('listbox', { name: 'Models' }).getByRole('option').filter({ hasText: name }).first()
    const sign = (name: string) => row(name).locator('.picture')
    const motion = (): Promise<string> => sign('walker_skn').evaluate((box: any) => getComputedStyle(box).animationName)
    await sign('walker_skn').locator('svg').waitFor()
    await expect.poll(motion).toMatch(/shimmer/)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await expect.poll(motion).toBe('none')
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    made.resolve()
    await sign('walker_skn').locator('img').waitFor({ timeout: 60_000 })
    await expect.poll(motion).toBe('none')
  })

  test('of which none can be made leave the sign of their kind, which says why', async ({ startApp, place }) => {
    const { page, services } = await startApp({ sample: true, state: join(place, 'none') })
    const making = services.handlers['library.pictureScene']
    services.handlers['library.pictureScene'] = async (args, context) => {
      if (/walker_skn/i.test(args.ref)) return { reason: 'nothing to draw', broken: false }
      if (/San Andreas.*peds/i.test(args.ref)) throw new FormatError('truncated', 'cut short')
      return making(args, context)
    }
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    const row = (name: string) => page.getByRole('listbox', { name: 'Models' }).getByRole('option').filter({ hasText: name }).first()
    for (const [name, why, bad] of [
      ['walker_skn', 'nothing to draw', false],
      ['San Andreas/models/peds', 'cut short', true],
    ] as const) {
      const box = row(name).locator('.picture')
      await expect.poll(() => box.getAttribute('title'), { timeout: 60_000 }).toBe(why)
      // of its kind, not the question mark of something unknown
      await expect.poll(() => box.locator('svg').getAttribute('class')).toMatch(/person-standing/)
      await expect.poll(() => box.locator('img').count()).toBe(0)
      await expect
        .poll(() => box.evaluate((sign: any) => [sign.classList.contains('bad'), sign.classList.contains('coming')]))
        .toEqual([bad, false])
    }
  })
})

describe('export of all models that are shown', () => {
  test('asks once, shows what came of it, and remembers', async ({ startApp, place }) => {
    const { page } = await startApp({ folder: game })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    const out = join(place, 'exports')
    mkdirSync(out)
    await page.getByRole('button', { name: /^RenderWare/ }).click()
    await page.keyboard.press('Control+Shift+e')
    const panel = page.getByRole('dialog', { name: 'Export models' })
    await panel.getByText('1 · RenderWare').waitFor()
    await panel.getByRole('button', { name: 'One folder' }).click()
    await panel.getByRole('textbox', { name: 'Folder for the exports' }).fill(out)
    await page.keyboard.press('Enter')
    await panel.getByText('Exported 1 of 1 model').waitFor({ timeout: 30_000 })
    expect(readdirSync(out)).toEqual(['adventurer.glb'])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+Shift+e')
    await expect.poll(() => panel.getByRole('textbox', { name: 'Folder for the exports' }).inputValue()).toBe(out)
    await expect.poll(() => panel.getByRole('button', { name: 'One folder' }).getAttribute('aria-pressed')).toBe('true')
    await panel.getByRole('button', { name: 'Export 1 model' }).click()
    await panel.getByText('1 there already').waitFor({ timeout: 30_000 })
    // where a folder would be there is a file: what is the matter is not pushed out of its line by the path
    writeFileSync(join(out, 'San Andreas'), '')
    await panel.getByRole('button', { name: 'Export again…' }).click()
    await panel.getByRole('button', { name: 'As in the library' }).click()
    await panel.getByRole('button', { name: 'Export 1 model' }).click()
    const why = panel.getByRole('listbox', { name: 'Models that failed' }).locator('.why')
    await why.waitFor({ timeout: 30_000 })
    await expect.poll(() => why.evaluate((line: any) => line.scrollWidth - line.clientWidth)).toBe(0)
  })
})

describe('an animation of a skeleton with other names', () => {
  test('asks which joints are meant, and takes the answer', async ({ startApp, place }) => {
    const own = join(place, 'own')
    const ped = sampleFiles().filter(({ path }) => /^San Andreas\/models\/(peds\/|adventurer\.ifp)/.test(path))
    writeFiles(own, Object.fromEntries(ped.map(({ path, bytes }) => [path, bytes])))
    const { page, services } = await startApp({ folder: own })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    await page.getByRole('listbox', { name: 'Models' }).getByText('adventurer').first().dblclick()
    await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 20_000 })
    const context = { signal: new AbortController().signal }
    const [{ id }] = await services.handlers['model.list']({}, context)
    const out = join(place, 'renamed')
    mkdirSync(out)
    const { files } = await services.handlers['export.model']({ model: id, to: 'gltf', folder: out }, context)
    const json = JSON.parse(
      readFileSync(
        files.find((path) => path.endsWith('.gltf'))!,
        'utf8',
      ),
    )
    json.buffers[0].uri = `data:application/octet-stream;base64,${readFileSync(files.find((path) => path.endsWith('.bin'))!).toString('base64')}`
    const named = (name: RegExp) => json.nodes.find((node: { name: string }) => name.test(node.name))
    const hand = named(/hand_r$/i).name as string
    named(/hand_r$/i).name = 'RightWrist'
    named(/head$/i).name = 'qqqq'
    const file = join(out, 'other.gltf')
    writeFileSync(file, JSON.stringify(json))

    const chosen = page.waitForEvent('filechooser')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('Import animations from glTF')
    await page.keyboard.press('Enter')
    await (await chosen).setFiles(file)
    const panel = page.getByRole('dialog', { name: 'Bones of the animation' })
    await panel.waitFor()
    await expect.poll(() => panel.getByRole('textbox').or(panel.getByRole('combobox')).count()).toBe(2)
    expect((await panel.getByLabel('Bone for RightWrist').inputValue()).toLowerCase()).toBe(hand.toLowerCase())
    await panel.getByLabel('Bone for qqqq').fill('nobody')
    await panel.getByText('No bone has this name').waitFor()
    expect(await accessFindings(page, 'bones of an animation', '.side-panel')).toEqual([])
    await expect.poll(() => panel.getByRole('button', { name: 'Import' }).isDisabled()).toBe(true)
    await panel.getByLabel('Bone for qqqq').fill('')
    await panel.getByText('Left out').waitFor()
    await panel.getByRole('button', { name: 'Import' }).click()
    // what it would do is shown before anything changes
    const asked = page.getByRole('dialog', { name: 'Import other.gltf' })
    await asked.getByText('nothing differs').waitFor({ timeout: 20_000 })
    await asked.getByRole('button', { name: 'Apply' }).click()
    await asked.waitFor({ state: 'detached' })
    await page.getByText('nothing differs').waitFor({ timeout: 20_000 })
  })
})

/** From now on a scan waits at its beginning. @returns what lets it go on */
function holdScans({ handlers }: Services): () => void {
  const { 'library.scan': scan } = handlers
  let release!: () => void
  const held = new Promise<void>((resolve) => (release = resolve))
  Object.assign(handlers, {
    'library.scan': async (...args: Parameters<typeof scan>) => {
      await held
      return scan(...args)
    },
  })
  return release
}

describe('the list of the library', () => {
  const rowsOf = (page: Page) => page.getByRole('listbox', { name: 'Models' }).getByRole('option')

  test('several rows are chosen with Ctrl, Shift and the keyboard, and the menu is about all of them', async ({ startApp, place }) => {
    const { page } = await startApp({ folder: game, state: join(place, 'several') })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    const rows = rowsOf(page)
    // by what they are: a menu hides all else from readers
    const chosen = () =>
      page
        .locator('.library [role=option]:visible')
        .evaluateAll((all) => all.flatMap((row: any, i: number) => (row.getAttribute('aria-selected') === 'true' ? [i] : [])))
    await rows.nth(1).click()
    await rows.nth(3).click({ modifiers: ['Control'] })
    await expect.poll(chosen).toEqual([1, 3])
    await rows.nth(0).click()
    await rows.nth(2).click({ modifiers: ['Shift'] })
    await expect.poll(chosen).toEqual([0, 1, 2])
    await page.keyboard.press('Shift+ArrowUp')
    await expect.poll(chosen).toEqual([0, 1])

    // the right button on one of them is about both; the menu key too
    await rows.nth(1).click({ button: 'right' })
    const menu = page.getByRole('menu', { name: '2 rows chosen' })
    await menu.getByRole('menuitem', { name: 'Compare the two' }).waitFor()
    await page.keyboard.press('Escape')
    // and stands in sight beside the list
    const batch = page.getByRole('complementary', { name: 'Preview' }).getByRole('group', { name: '2 rows chosen' })
    await batch.getByRole('button', { name: 'Compare the two' }).click()
    const compared = page.getByRole('dialog', { name: 'Compare' })
    for (const side of ['A', 'B']) await expect.poll(() => compared.getByRole('textbox', { name: side }).inputValue()).not.toBe('')
    await compared.getByRole('button', { name: 'Close' }).click()
    await batch.getByRole('button', { name: 'Export 2 models…' }).waitFor()
    await rows.nth(1).click({ button: 'right' })
    await menu.getByRole('menuitem', { name: 'Export 2 models…' }).click()
    const panel = page.getByRole('dialog', { name: 'Export models' })
    await expect.poll(() => panel.innerText()).toContain('the chosen ones')
    await page.keyboard.press('Escape')

    // on another row it is about that one
    await rows.nth(3).click({ button: 'right' })
    const one = page.getByRole('menu')
    await one.getByRole('menuitem', { name: 'Export 1 model…' }).waitFor()
    await expect.poll(chosen).toEqual([3])
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('menu').count()).toBe(0)
    // the list has the focus again, once the menu has let go of it
    await expect.poll(() => page.evaluate('document.activeElement.role')).toBe('listbox')
    await page.keyboard.press('ArrowUp')
    await expect.poll(chosen).toEqual([2])
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menu').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    // the first entry opens the row
    await page.getByRole('tab').nth(1).waitFor()
  })

  test('has its rows where they are while the folder is looked through again, for a press that was aimed at one', async ({
    startApp,
    place,
  }) => {
    const { page, services, screenshot } = await startApp({ folder: game, state: join(place, 'again') })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    const row = rowsOf(page).last()
    const before = (await row.boundingBox())!
    const tools = page.getByRole('combobox', { name: 'Sort by' })
    const toolsBefore = await tools.boundingBox()
    const release = holdScans(services)
    const progress = page.getByRole('progressbar', { name: 'Scanning the folder' })
    await runCommand(page, 'Scan everything again')
    await progress.waitFor()
    await screenshot('scanning-again')
    expect(await row.boundingBox()).toEqual(before)
    expect(await tools.boundingBox()).toEqual(toolsBefore)
    release()
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    await expect.poll(() => progress.count()).toBe(0)
    expect(await row.boundingBox()).toEqual(before)
  })

  test('has its rows where they are when a message comes', async ({ startApp, place }) => {
    const { page, services, screenshot } = await startApp({ folder: game, state: join(place, 'message') })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    let release = (): void => {}
    const held = new Promise<void>((done) => (release = done))
    services.handlers['recovery.list'] = async () => {
      await held
      return [{ id: 'left', primary: join(game, 'left.dff'), name: 'left.dff', steps: 3, lastEdit: 0 }]
    }
    await page.reload()
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    const row = rowsOf(page).first()
    const before = (await row.boundingBox())!
    release()
    await page.getByText(/^left\.dff has unsaved/).waitFor()
    await screenshot('message')
    expect(await row.boundingBox()).toEqual(before)
  })

  test('has the way to end a scan in sight in the panel beside a model, too', async ({ startApp, place }) => {
    const { page, services, screenshot } = await startApp({ folder: game, state: join(place, 'beside') })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    await rowsOf(page).first().dblclick()
    await page.getByRole('tree', { name: 'Outliner' }).waitFor({ timeout: 60_000 })
    await page.locator('.dv-tab', { hasText: 'Library' }).click()
    const release = holdScans(services)
    await runCommand(page, 'Scan everything again')
    const end = page.locator('.library.compact').getByRole('button', { name: 'Cancel' })
    await end.waitFor()
    await screenshot('scanning-beside')
    const panel = (await page.locator('.library.compact').boundingBox())!
    const button = (await end.boundingBox())!
    expect(button.x + button.width).toBeLessThanOrEqual(panel.x + panel.width - 8)
    release()
    await expect.poll(() => end.count()).toBe(0)
  })

  test('shows no row as chosen while the pane beside it asks for one; from the search the first is', async ({ startApp, place }) => {
    const { page } = await startApp({ folder: game, state: join(place, 'none') })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    const chosen = page.locator('.library .main [role=option][aria-selected=true]:visible')
    const pane = page.getByRole('complementary', { name: 'Preview' })
    await pane.getByText('Choose a model to see it move').waitFor()
    await expect.poll(() => chosen.count()).toBe(0)
    // no row looks different from the others but where the keyboard is
    const colours = await rowsOf(page).evaluateAll((all) =>
      all.map((row: any) => row.computedStyleMap().get('background-color').toString()),
    )
    expect(new Set(colours).size).toBe(1)

    await page.keyboard.press('/')
    await page.keyboard.type('ruin')
    await expect.poll(() => rowsOf(page).first().innerText()).toMatch(/^ruin/)
    await expect.poll(() => chosen.count()).toBe(0)
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => chosen.innerText()).toMatch(/^ruin/)
    await pane.getByRole('heading', { name: 'ruin' }).waitFor()
    // taken out of the choice it is none again, in both
    await rowsOf(page)
      .first()
      .click({ modifiers: ['Control'] })
    await expect.poll(() => chosen.count()).toBe(0)
    await pane.getByText('Choose a model to see it move').waitFor()
    // a large window has room for a larger picture
    const room = async (width: number): Promise<number> => {
      await page.setViewportSize({ width, height: 900 })
      return (await pane.boundingBox())!.width
    }
    const narrow = await room(1440)
    await expect.poll(() => room(2560)).toBeGreaterThan(narrow + 100)
  })

  test('asks for no choice where there is nothing, and says of a wrong file what it can show', async ({ startApp, place }) => {
    const folder = join(place, 'empty')
    mkdirSync(folder)
    const { page } = await startApp({ folder, state: join(place, 'nothing') })
    const library = page.getByRole('region', { name: 'Library' })
    await library.getByText('No models in this folder').waitFor()
    await library.getByText(/^Scanned /).waitFor()
    await expect.poll(() => library.getByText(/^Choose a |^Enter opens$/).count()).toBe(0)
    writeFileSync(join(folder, 'nothing.dff'), '')
    await library.getByRole('button', { name: 'Scan again' }).click()
    await library.getByRole('button', { name: 'Errors 1' }).click()
    await library.getByText('Choose a file to see what is the matter with it').waitFor()
    await library.getByText('Enter opens').waitFor()
  })

  test('folders count what is listed, and the chosen one stays whatever is searched', async ({ startApp, place }) => {
    const { page } = await startApp({ folder: game, state: join(place, 'counts') })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    const tree = page.getByRole('tree', { name: 'Folders' })
    const counts = () =>
      tree.getByRole('treeitem').evaluateAll((all) => all.slice(1).map((row: any) => [row.title, Number(/\d+$/.exec(row.innerText)![0])]))
    const sum = async () => (await counts()).reduce((n, [, count]) => n + Number(count), 0)
    // folders are asked for behind the rows: both change until the last letter is answered
    const beyond = async () => (await sum()) - (await rowsOf(page).count())
    await tree.getByRole('treeitem').nth(3).waitFor()
    const folders = (await counts()).length
    expect(folders).toBeGreaterThan(2)
    await page.keyboard.press('/')
    await page.keyboard.type('san andreas')
    await expect.poll(async () => (await counts()).length).toBeLessThan(folders)
    await expect.poll(beyond).toBe(0)
    await page.getByRole('searchbox').fill('')
    await expect.poll(async () => (await counts()).length).toBe(folders)
    await page.getByRole('button', { name: /^RenderWare/ }).click()
    await expect.poll(async () => (await counts()).length).toBeLessThan(folders)
    await expect.poll(beyond).toBe(0)
    await page.getByRole('button', { name: /^RenderWare/ }).click()

    await tree.getByRole('treeitem', { name: /^Dark Cloud 2/ }).click()
    await page.getByRole('searchbox').fill('san andreas')
    await expect.poll(() => tree.getByRole('treeitem', { selected: true }).innerText()).toMatch(/^Dark Cloud 2\s+0$/)
    await page.getByRole('searchbox').fill('no model is called so')
    await expect.poll(counts).toEqual([['Dark Cloud 2', 0]])
    // nothing is left to filter by, and no room is kept for it
    await expect.poll(() => page.locator('nav .facets').isVisible()).toBe(false)
  })

  test('shows all filters while the few folders below them leave the room', async ({ startApp }) => {
    const { page } = await startApp({ sample: true, size: { width: 1024, height: 600 } })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    await page.getByRole('tree', { name: 'Folders' }).getByRole('treeitem').nth(5).waitFor()
    const hidden = (): Promise<number> => page.locator('nav .facets').evaluate((el: any) => el.scrollHeight - el.clientHeight)
    await expect.poll(hidden).toBe(0)
    // with less room than both ask for, both have some
    await page.setViewportSize({ width: 1024, height: 420 })
    await expect.poll(hidden).toBeGreaterThan(0)
    await page.getByRole('treeitem', { name: /^All folders/ }).waitFor()
  })

  test('has the folder and the end of a name on screen that tell rows apart, in the list and as tiles', async ({ startApp, place }) => {
    const deep = join(place, 'deep')
    const model = wanted.filter(({ path }) => /\/peds\/adventurer\./.test(path))
    const way = ['a folder with a long name', 'and another one in it whose name is longer', 'models that are many', 'of all that there are']
    writeFiles(
      deep,
      Object.fromEntries(
        ['left', 'right'].flatMap((side) =>
          model.map(({ path, bytes }) => [
            [
              ...way,
              side,
              `adventurer_with_a_name_that_is_longer_than_its_column_in_any_list_${side}${path.slice(path.lastIndexOf('.'))}`,
            ].join('/'),
            bytes,
          ]),
        ),
      ),
    )
    const { page } = await startApp({ folder: deep, state: join(place, 'deep-state') })
    await page.setViewportSize({ width: 1024, height: 700 })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    // what of a row is to be read: texts that are wider than their box end in an ellipsis
    const ends = () =>
      rowsOf(page).evaluateAll((all) =>
        all.map((row: any) =>
          [...row.querySelectorAll('.tail')]
            .filter((tail: any) => tail.scrollWidth <= tail.clientWidth)
            .map((tail: any) => tail.textContent),
        ),
      )
    for (const view of ['List', 'Pictures']) {
      await page.getByRole('button', { name: view, exact: true }).click()
      await expect
        .poll(async () => (await ends()).map((texts) => texts.map((text) => /(left|right)(\.\w+)?$/.exec(String(text))?.[1])), {
          message: view,
        })
        .toEqual([
          ['left', 'left'],
          ['right', 'right'],
        ])
    }
  })

  test('letters lead to a row, a folder narrows the list, and what is chosen moves beside it', async ({ startApp, place }) => {
    const { page } = await startApp({ folder: game, state: join(place, 'narrow') })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    const rows = rowsOf(page)
    await rows.first().click()
    await page.keyboard.type('ru')
    await expect.poll(() => page.locator('[role=option][aria-selected=true]:visible').innerText()).toMatch(/^ruin/)

    const tree = page.getByRole('tree', { name: 'Folders' })
    await tree.getByRole('treeitem', { name: /^Dark Cloud 2/ }).click()
    await expect.poll(() => rows.count()).toBe(1)
    await rows.first().click()
    const pane = page.getByRole('complementary', { name: 'Preview' })
    await pane.getByRole('img').waitFor({ timeout: 30_000 })
    await pane.getByRole('button', { name: 'Pause the preview' }).click()
    await pane.getByRole('button', { name: 'Play the preview' }).waitFor()
    await tree.getByRole('treeitem', { name: 'All folders' }).click()
    await expect.poll(() => rows.count()).toBeGreaterThan(1)

    // the pane goes away, and stays away
    await rows.first().click()
    const toggle = page.getByRole('button', { name: 'Preview pane' })
    await toggle.click()
    await expect.poll(() => pane.count()).toBe(0)
    // and shows what is chosen when it is back
    await toggle.click()
    await pane.getByRole('img').waitFor({ timeout: 30_000 })
    await toggle.click()
    await expect.poll(() => pane.count()).toBe(0)
  })
})
