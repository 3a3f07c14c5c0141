/** The page of an archive: members found, named, moved, taken away, put in and taken out; saved when the plan was seen, and of an image into a copy. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeBig } from '../../src/main/formats/w3d/archives/big.ts'
import { archiveCases } from '../support/archive-cases.ts'
import { junk } from '../support/hostile.ts'
import { makeIso } from '../support/iso.ts'
import { readBig } from '../support/read-archives.ts'
import { describe, expect, test } from './harness.ts'
import type { Page } from 'playwright'

const bytesOf = (path: string): Uint8Array => new Uint8Array(readFileSync(path))

/** A folder of the game with an archive of many members, and an image of a disc. */
function game(place: string): string {
  const folder = join(place, 'game')
  mkdirSync(folder)
  const members = Array.from({ length: 3000 }, (_, i) => ({
    name: `Art\\m${String(i).padStart(4, '0')}.w3d`,
    bytes: junk(20 + (i % 7), i),
  }))
  writeFileSync(join(folder, 'many.big'), makeBig('BIGF', members))
  writeFileSync(join(folder, 'game.iso'), makeIso(archiveCases.HD3().files).image)
  return folder
}

/** By keyboard: the menu key on the archive's row. */
async function openArchive(page: Page, row: string): Promise<void> {
  await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
  await page.getByRole('button', { name: /^Files/ }).click()
  await page.locator('section[aria-label="Library"] [role=listbox]').getByText(row, { exact: true }).first().click()
  await page.keyboard.press('ContextMenu')
  await page.getByRole('menuitem', { name: 'Open archive…' }).click()
}

/** The tests know no DOM: the page's own globals. */
declare const DataTransfer: any

describe('the page of an archive', () => {
  test('changes members as planned steps, and writes them when the plan was seen', async ({ startApp, place }) => {
    const folder = game(place)
    const file = join(folder, 'many.big')
    const before = bytesOf(file)
    const { page } = await startApp({ folder })
    await openArchive(page, 'many.big')
    const panel = page.getByRole('dialog', { name: 'Archive many.big' })
    const list = panel.getByRole('listbox', { name: 'Members' })
    const row = (name: RegExp | string) => list.getByRole('option', { name })
    await panel.getByText('3,000 members').waitFor()
    await row(/^Art\/m0000/).waitFor()
    // rows that are not in view are not there
    await expect.poll(() => list.getByRole('option').count()).toBeLessThan(80)

    await row(/^Art\/m0001/).click()
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Delete')
    await panel.getByText('1 change planned').waitFor()
    await row(/^Art\/m0003/).waitFor()
    await expect.poll(() => row(/^Art\/m0002/).count()).toBe(0)
    await row(/^Art\/m0000/).click()
    await page.keyboard.press('F2')
    await panel.getByRole('textbox', { name: /^New name of/ }).fill('Art/m0005.w3d')
    await page.keyboard.press('Enter')
    await panel.getByRole('alert').filter({ hasText: 'already' }).waitFor()
    await page.keyboard.press('F2')
    await panel.getByRole('textbox', { name: /^New name of/ }).fill('Art/first.w3d')
    await page.keyboard.press('Enter')
    await row(/^Art\/first\.w3d, was Art\/m0000\.w3d, 20 B/).waitFor()
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(() => list.getByRole('option').first().getAttribute('aria-label')).toMatch(/m0003/)
    await page.keyboard.press('Control+z')
    await expect.poll(() => list.getByRole('option').first().getAttribute('aria-label')).toMatch(/first/)
    await page.keyboard.press('Control+Shift+z')
    await expect.poll(() => list.getByRole('option').first().getAttribute('aria-label')).toMatch(/m0003/)

    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), panel.getByRole('button', { name: 'Add…' }).click()])
    await chooser.setFiles([{ name: 'new.txt', mimeType: 'text/plain', buffer: Buffer.from('new') }])
    await panel.getByText('4 changes planned').waitFor()
    await row(/^new\.txt, new, 3 B/).waitFor()
    expect(bytesOf(file)).toEqual(before)
    // what is held over it is told of, as long as it is
    const dataTransfer = await page.evaluateHandle(() => {
      const held = new DataTransfer()
      held.items.add(new File(['held'], 'held.txt'))
      return held
    })
    await panel.dispatchEvent('dragover', { dataTransfer })
    await panel.getByText('Drop to plan them as members').waitFor()
    await panel.dispatchEvent('dragleave', { dataTransfer })
    await panel.getByText('4 changes planned').waitFor()
    await panel.dispatchEvent('dragover', { dataTransfer })
    await panel.dispatchEvent('drop', { dataTransfer })
    await panel.getByText('5 changes planned').waitFor()
    await row(/^held\.txt, new, 4 B/).click()
    await page.keyboard.press('Control+z')
    await panel.getByText('4 changes planned').waitFor()

    // found by a pattern, and taken out
    await panel.getByRole('searchbox').fill('*m29?7.w3d')
    await panel.getByText('10', { exact: true }).waitFor()
    await panel.getByRole('button', { name: 'Extract…' }).click()
    const take = panel.getByRole('region', { name: 'Extract' })
    await take.getByRole('combobox').selectOption('found')
    const out = join(place, 'out')
    mkdirSync(out)
    await take.getByRole('textbox', { name: 'Folder to extract into' }).fill(out)
    await page.keyboard.press('Enter')
    await take.getByRole('button', { name: 'Extract', exact: true }).click()
    await take.getByText(/^10 members/).waitFor()
    expect(readdirSync(join(out, 'Art'))).toHaveLength(10)
    await take.getByRole('button', { name: 'Close' }).click()
    // a browser saves one of them by itself
    await panel.getByRole('option', { name: /^Art\/m2907/ }).click({ button: 'right' })
    const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Download 1 member' }).click()])
    expect(saved.suggestedFilename()).toBe('m2907.w3d')
    expect(bytesOf(await saved.path())).toEqual(junk(20 + (2907 % 7), 2907))
    await panel.getByRole('searchbox').fill('')

    await row(/^Art\/m0003/).click()
    await page.keyboard.press('Control+s')
    const write = panel.getByRole('region', { name: 'What is written' })
    await write.getByText(/3,?000 → 2,?999 members/).waitFor()
    await write.getByText(/^a copy of the whole, \d+ KB/).waitFor()
    await write.getByRole('button', { name: 'Save now' }).click()
    await panel.getByText('Nothing is planned').waitFor({ timeout: 20_000 })
    const now = readBig(bytesOf(file))
    expect(now.slice(0, 3).map(({ name }) => name)).toEqual(['Art\\m0003.w3d', 'Art\\first.w3d', 'Art\\m0004.w3d'])
    expect([now.length, now.at(-1)!.name, now[1].bytes]).toEqual([2999, 'new.txt', junk(20, 0)])
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
  })

  test('shows what a save writes, and its button, where the interface is large and the window small', async ({ startApp, place }) => {
    const { page } = await startApp({ folder: game(place), size: { width: 1024, height: 700 }, settings: { scale: 150 } })
    await openArchive(page, 'many.big')
    const panel = page.getByRole('dialog', { name: 'Archive many.big' })
    await panel.getByRole('option').first().click()
    await page.keyboard.press('Delete')
    await panel.getByText('1 change planned').waitFor()
    await page.keyboard.press('Control+s')
    await panel.getByText('Free on the disk').waitFor()
    const below = async (name: string): Promise<number> => {
      const [button, page] = [(await panel.getByRole('button', { name, exact: true }).boundingBox())!, (await panel.boundingBox())!]
      return button.y + button.height - page.y - page.height
    }
    await expect.poll(() => below('Save now')).toBeLessThan(0)
    await panel.getByRole('button', { name: 'Cancel' }).click()
    await panel.getByRole('button', { name: 'Extract…' }).click()
    await expect.poll(() => below('Extract')).toBeLessThan(0)
  }, 120_000)

  test('sets fields of its directory by keyboard, says what follows from the members, and writes those bytes alone', async ({
    startApp,
    place,
  }) => {
    const folder = join(place, 'fields')
    mkdirSync(folder)
    const { files } = archiveCases.PAK()
    const file = join(folder, 'x.chr')
    writeFileSync(file, files['x.chr'])
    const { page } = await startApp({ folder })
    await openArchive(page, 'x.chr')
    const panel = page.getByRole('dialog', { name: 'Archive x.chr' })
    await panel.getByRole('option', { name: /^a\.mot/ }).click()
    await panel.getByRole('button', { name: 'Fields', exact: true }).click()
    const fields = panel.getByRole('region', { name: 'Fields of the directory' })
    const open = async (name: RegExp): Promise<void> => {
      await fields.getByRole('row', { name }).focus()
      await page.keyboard.press('Enter')
    }
    await open(/^stride /)
    await fields.getByText('replace the member').waitFor()
    await page.keyboard.press('Escape')
    await open(/^junk /)
    const junk = fields.getByRole('group', { name: 'Edit junk' }).getByRole('textbox')
    await junk.fill('4294967296')
    await page.keyboard.press('Enter')
    await fields.getByRole('alert').waitFor()
    await junk.fill('7')
    await page.keyboard.press('Enter')
    await panel.getByText('1 change planned').waitFor()
    await panel.getByRole('option', { name: /^a\.mot, other fields, 64 B/ }).waitFor()
    await page.keyboard.press('Escape')
    await fields.getByRole('row', { name: /^junk \? 0x7 / }).waitFor()
    await page.keyboard.press('Control+z')
    await fields.getByRole('row', { name: /^junk \? 0xabcd / }).waitFor()
    await page.keyboard.press('Control+Shift+z')
    await panel.getByText('1 change planned').waitFor()
    // a key of the members means none of them here
    await page.keyboard.press('Delete')
    await fields.getByRole('combobox').selectOption({ label: 'The archive itself' })
    await open(/^trailing /)
    await fields.getByText('of 19 entries').waitFor()
    await fields.getByRole('textbox', { name: 'trailing', exact: true }).fill('200')
    await page.keyboard.press('Enter')
    await panel.getByText('2 changes planned').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+s')
    await panel.getByRole('region', { name: 'What is written' }).getByRole('button', { name: 'Save now' }).click()
    await panel.getByText('Nothing is planned').waitFor({ timeout: 20_000 })
    const wanted = files['x.chr']
    wanted.set([7, 0, 0, 0], 0x50 + 112 + 0x4c)
    wanted[wanted.length - 19] = 200
    expect(bytesOf(file)).toEqual(wanted)
  })

  test('of a new one takes files of the library and of the disk, and writes them where it is saved', async ({ startApp, place }) => {
    const folder = game(place)
    mkdirSync(join(folder, 'art', 'deep'), { recursive: true })
    const inner = makeBig('BIGF', [{ name: 'x', bytes: junk(40, 1) }])
    writeFileSync(join(folder, 'art', 'a.big'), inner)
    writeFileSync(join(folder, 'art', 'deep', 'b.txt'), junk(5, 2))
    const { page } = await startApp({ folder })
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Search commands/ }).fill('New archive')
    await page.keyboard.press('Enter')
    const panel = page.getByRole('dialog', { name: 'New archive' })
    await panel.getByText('No files yet').waitFor()
    await panel.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'IMG archive (San Andreas)' })
    await panel.getByText('Names of up to 23 plain characters').waitFor()
    await page.keyboard.press('Escape')
    // what was planned is there again
    await page.getByRole('button', { name: /^Files/ }).click()
    await page.getByRole('tree', { name: 'Folders' }).getByText('art', { exact: true }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'New archive of this…' }).click()
    await panel.getByRole('option', { name: /^deep\/b\.txt, new, 5 B/ }).waitFor()
    await expect.poll(() => panel.getByRole('combobox', { name: 'Kind' }).inputValue()).toBe('renderware.img2')
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), panel.getByRole('button', { name: 'Add…' }).click()])
    const chosen = { mimeType: 'text/plain', buffer: Buffer.from('new') }
    await chooser.setFiles([{ ...chosen, name: 'a-name-that-is-far-too-long.txt' }])
    await panel.getByRole('alert').filter({ hasText: 'a-name-that-is-far-too-long' }).waitFor()
    await panel.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'BIG archive, BIG4 (BFME II and later)' })
    await panel.getByText('3 changes planned').waitFor()
    await panel.getByRole('option', { name: /^a\.big/ }).click()
    await page.keyboard.press('F2')
    await panel.getByRole('textbox', { name: /^New name of/ }).fill('art/a.big')
    await page.keyboard.press('Enter')
    await panel.getByRole('option', { name: /^art\/a\.big, new, / }).waitFor()
    await page.keyboard.press('Control+s')
    const write = panel.getByRole('region', { name: 'What is written' })
    await write.getByRole('textbox', { name: 'Folder of the archive' }).fill(folder)
    await page.keyboard.press('Enter')
    await write.getByRole('textbox', { name: 'Name of the archive' }).fill('made.big')
    await page.keyboard.press('Enter')
    await write.getByText(/2 members/).waitFor()
    expect(readdirSync(folder).sort()).toEqual(['art', 'game.iso', 'many.big'])
    await write.getByRole('button', { name: 'Save now' }).click()
    // its page as of any other
    await page.getByRole('dialog', { name: 'Archive made.big' }).getByText('2 members').waitFor({ timeout: 20_000 })
    const bytes = bytesOf(join(folder, 'made.big'))
    expect(Buffer.from(bytes.subarray(0, 4)).toString()).toBe('BIG4')
    expect(readBig(bytes)).toMatchObject([
      { name: 'art\\a.big', bytes: inner },
      { name: 'deep\\b.txt', bytes: junk(5, 2) },
    ])
  })

  test('saves what is in an image of a disc into a copy of it', async ({ startApp, place }) => {
    const folder = game(place)
    const image = bytesOf(join(folder, 'game.iso'))
    const { page } = await startApp({ folder })
    await openArchive(page, 'DATA.HD3')
    const panel = page.getByRole('dialog', { name: 'Archive DATA.HD3' })
    await panel.getByText('An image of a disc stays as it is').waitFor()
    const first = panel.getByRole('option', { name: /^b\.dff/ })
    await first.click({ button: 'right' })
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('menuitem', { name: 'Replace…' }).click()])
    await chooser.setFiles([{ name: 'x.dff', mimeType: 'application/octet-stream', buffer: Buffer.from(junk(300, 9)) }])
    await panel.getByRole('option', { name: /^b\.dff, other bytes, 300 B/ }).waitFor()
    await panel.getByRole('button', { name: 'Save a copy…' }).click()
    const write = panel.getByRole('region', { name: 'What is written' })
    await expect.poll(() => write.getByRole('button', { name: 'Save now' }).isDisabled()).toBe(true)
    const copies = join(place, 'copies')
    mkdirSync(copies)
    await write.getByRole('textbox', { name: 'Folder of the copy' }).fill(copies)
    await page.keyboard.press('Enter')
    await expect.poll(() => write.getByRole('textbox', { name: 'Name of the copy' }).inputValue()).toBe('game-copy.iso')
    await write.getByText('Free on the disk').waitFor()
    await write.getByRole('button', { name: 'Save now' }).click()
    await panel.getByText('Nothing is planned').waitFor({ timeout: 20_000 })
    expect(readdirSync(copies)).toEqual(['game-copy.iso'])
    const copy = bytesOf(join(copies, 'game-copy.iso'))
    expect(copy).toHaveLength(image.length)
    expect(Buffer.from(copy).includes(Buffer.from(junk(300, 9)))).toBe(true)
    expect(bytesOf(join(folder, 'game.iso'))).toEqual(image)
  })
})
