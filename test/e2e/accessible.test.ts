/**
 * axe-core over every page and panel in both themes: nothing at all is found, there is one main landmark, what is read of a control is what stands on it.
 * A state is a line in one of the lists below; each begins where the one before it left the window. What only a long way leads to is looked at by the
 * test that goes it (`ELSEWHERE`). Then the same window where the system's colours are forced, and where half of it is there (200 % zoom).
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Locator } from 'playwright'
import { projectRoot } from '../../scripts/lib/build.mjs'
import { createServices } from '../../src/main/services/create-services.ts'
import type { Emit } from '../../src/main/services/service.ts'
import { accessFindings, componentsShown } from './axe.ts'
import { atRest, describe, expect, test, type App } from './harness.ts'
import { cutControls, openFromLibrary, runCommand } from './steps.ts'

/** The tests know no DOM: the page's own globals. */
declare const document: any
declare const getComputedStyle: any

interface Stage extends App {
  place: string
  /** folder of the sample library */
  sample: string
}

/**
 * What is called so, how it is reached (the way may end in one that leaves it again), and the part that is looked at: where it is the whole window,
 * landmarks and headings are, too. What is modal hides the rest, and is looked at by itself.
 */
type State = [name: string, go: (stage: Stage) => Promise<void | (() => Promise<unknown>)>, within?: string]

/** Opened, and closed by Escape. */
async function opened({ page }: Stage, dialog: Locator, ask: () => Promise<unknown>): Promise<() => Promise<unknown>> {
  await ask()
  await dialog.waitFor()
  return async () => {
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }
}

const dialogOf = ({ page }: Stage, name: string | RegExp): Locator => page.getByRole('dialog', { name })
const tool = ({ page }: Stage, name: string | RegExp): Locator => page.getByRole('button', { name })
const rows = ({ page }: Stage): Locator => page.locator('section[aria-label="Library"] [role=listbox]')
const folderOf = ({ page }: Stage, name: RegExp): Locator => page.getByRole('tree', { name: 'Folders' }).getByRole('treeitem', { name })
const panelOf = ({ page }: Stage, id: string): Locator => page.locator(`[data-panel="${id}"]`)
/** Chooses what the outliner lists under a name. */
async function choose({ page }: Stage, kind: string, name: string): Promise<void> {
  await page.keyboard.press('Alt+1')
  await page.getByLabel('Search the outliner').fill(name)
  await page.locator(`[data-panel="outliner"] [data-kind="${kind}"]`).first().click()
}

/** Enters something into a field and leaves it there. */
async function fill(field: Locator, text: string): Promise<void> {
  await field.fill(text)
  await field.press('Enter')
}

/** Drags a file over the window, or lets it go there. */
const drag = ({ page }: Stage, events: string[]): Promise<unknown> =>
  page.locator('main:visible').evaluate((target: any, types) => {
    const transfer = new (globalThis as any).DataTransfer()
    transfer.items.add(new File([new Uint8Array(3)], 'notes.txt'))
    for (const type of types)
      target.dispatchEvent(new (globalThis as any).DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }))
  }, events)

const SIDE = '.side-panel'

/** Pages outside of a model, and what opens on them. */
const OUTSIDE: State[] = [
  ['library', async () => undefined],
  [
    'preview',
    async (stage) => {
      await rows(stage).getByRole('option').first().click()
      await stage.page.getByRole('complementary', { name: 'Preview' }).getByRole('img').waitFor()
    },
    'aside',
  ],
  [
    'menu of a row',
    (stage) => opened(stage, stage.page.getByRole('menu'), () => rows(stage).getByRole('option').first().click({ button: 'right' })),
    '.context-menu',
  ],
  ['pictures', (stage) => tool(stage, 'Pictures').click()],
  [
    'nothing found',
    async (stage) => {
      const search = stage.page.getByRole('searchbox', { name: 'Search the library' })
      await search.fill('zzzz')
      await tool(stage, /^Errors/).click()
      return async () => {
        await search.fill('')
        await tool(stage, 'List').click()
        await stage.page
          .getByLabel(/^Models \d/)
          .filter({ visible: true })
          .click()
      }
    },
  ],
  [
    'a folder that is left out',
    async (stage) => {
      const folder = folderOf(stage, /^Dark Cloud 2/)
      await folder.click({ button: 'right' })
      await stage.page.getByRole('menuitem', { name: 'Leave this folder out' }).click()
      await folder.getByText('left out').click()
      await tool(stage, 'Take this folder in again').waitFor()
    },
  ],
  [
    'settings',
    async (stage) => {
      const leave = await opened(stage, dialogOf(stage, 'Settings'), () => tool(stage, 'Settings').click())
      return async () => {
        await leave()
        await tool(stage, 'Take this folder in again').click()
        await folderOf(stage, /^All folders/).click()
      }
    },
    '.popover',
  ],
  [
    'palette',
    (stage) => opened(stage, stage.page.getByRole('listbox', { name: 'Commands' }), () => stage.page.keyboard.press('Control+k')),
    '.palette[role=dialog]',
  ],
  ['shortcuts', (stage) => opened(stage, dialogOf(stage, 'Keyboard shortcuts'), () => runCommand(stage.page, 'Keyboard shortcuts'))],
  ['diagnostics', (stage) => opened(stage, dialogOf(stage, 'Save diagnostics'), () => runCommand(stage.page, 'Save diagnostics')), SIDE],
  [
    'problems of the library',
    async (stage) => {
      const panel = dialogOf(stage, /^Problems of /)
      await opened(stage, panel, () => stage.page.keyboard.press('Alt+Shift+7'))
      await panel.getByText(/files looked at$/).waitFor()
      await panel.getByRole('treeitem').first().click()
    },
    SIDE,
  ],
  [
    'rules that are off',
    async (stage) => {
      await tool(stage, /^Look for .* no more$/).click()
      await tool(stage, '1 rule off').click()
      return () => stage.page.keyboard.press('Escape')
    },
    SIDE,
  ],
  [
    'what two folders differ in',
    async (stage) => {
      const panel = dialogOf(stage, 'Compare')
      await opened(stage, panel, () => stage.page.keyboard.press('Alt+Shift+8'))
      const script = join(stage.sample, 'Dark Cloud 2', 'adventurer', 'info.cfg')
      for (const side of ['A', 'B']) mkdirSync(join(stage.place, side))
      for (const [side, end] of [
        ['A', '80'],
        ['B', '79'],
      ])
        writeFileSync(join(stage.place, side, 'info.cfg'), readFileSync(script, 'latin1').replace('50, 80,', `50, ${end},`), 'latin1')
      for (const side of ['A', 'B']) await fill(panel.getByRole('textbox', { name: side }), join(stage.place, side))
      await panel.getByRole('treeitem', { name: /^info\.cfg, changed/ }).waitFor()
    },
    SIDE,
  ],
  [
    'what two scripts differ in, as text',
    async (stage) => {
      const panel = dialogOf(stage, 'Compare')
      for (const side of ['A', 'B']) await fill(panel.getByRole('textbox', { name: side }), join(stage.place, side, 'info.cfg'))
      await tool(stage, 'As text').click()
      await panel.getByRole('option', { name: /80 -> 79/ }).waitFor()
      return () => stage.page.keyboard.press('Escape')
    },
    SIDE,
  ],
  [
    'archive',
    async (stage) => {
      await tool(stage, /^Files/).click()
      await rows(stage).getByText('adventurer.chr', { exact: true }).first().click({ button: 'right' })
      await stage.page.getByRole('menuitem', { name: 'Open archive…' }).click()
      await dialogOf(stage, /^Archive /)
        .getByRole('option')
        .first()
        .click()
    },
    SIDE,
  ],
  [
    'fields of an archive',
    async (stage) => {
      await tool(stage, 'Fields').click()
      const fields = stage.page.getByRole('region', { name: 'Fields of the directory' })
      await fields.getByRole('row').nth(2).focus()
      await stage.page.keyboard.press('Enter')
      return () => tool(stage, 'Fields').click()
    },
    SIDE,
  ],
  [
    'members taken out of an archive',
    async (stage) => {
      await tool(stage, 'Extract…').click()
      await stage.page.getByRole('region', { name: 'Extract' }).waitFor()
      return () => stage.page.getByRole('region', { name: 'Extract' }).getByRole('button', { name: 'Close' }).click()
    },
    SIDE,
  ],
  [
    'save of an archive',
    async (stage) => {
      await dialogOf(stage, /^Archive /)
        .getByRole('option')
        .last()
        .click()
      await stage.page.keyboard.press('Delete')
      await stage.page.getByText('1 change planned').waitFor()
      await stage.page.keyboard.press('Control+s')
      // the plan, which is made in the archive's own time
      await stage.page.getByRole('region', { name: 'What is written' }).getByText('Free on the disk').waitFor()
      return async () => {
        await stage.page.getByRole('region', { name: 'What is written' }).getByRole('button', { name: 'Cancel' }).click()
        await tool(stage, 'Discard').click()
        // what was pressed is off now: the focus stays in the panel
        await expect
          .poll(() => dialogOf(stage, /^Archive /).evaluate((panel: any) => panel.contains(panel.ownerDocument.activeElement)))
          .toBe(true)
        await stage.page.keyboard.press('Escape')
        await dialogOf(stage, /^Archive /).waitFor({ state: 'detached' })
        await stage.page
          .getByLabel(/^Models \d/)
          .filter({ visible: true })
          .click()
      }
    },
    SIDE,
  ],
  ['new archive', (stage) => opened(stage, dialogOf(stage, 'New archive'), () => runCommand(stage.page, 'New archive')), SIDE],
  [
    'export of all models',
    async (stage) => {
      await tool(stage, /^RenderWare/).click()
      const panel = dialogOf(stage, 'Export models')
      const leave = await opened(stage, panel, () => stage.page.keyboard.press('Control+Shift+e'))
      await fill(panel.getByRole('textbox', { name: 'Folder for the exports' }), stage.place)
      await panel.getByText(/^Exported /).waitFor()
      return leave
    },
    SIDE,
  ],
  ['files dragged over the window', async (stage) => void (await drag(stage, ['dragenter', 'dragover']))],
  [
    'files that are nothing to open',
    async (stage) => {
      await drag(stage, ['drop'])
      await stage.page.getByRole('alert').getByText('notes.txt').waitFor()
      return () => stage.page.getByRole('alert').getByRole('button', { name: 'Dismiss' }).click()
    },
  ],
  [
    'messages',
    async (stage) => {
      rmSync(join(stage.sample, 'San Andreas'), { recursive: true })
      await rows(stage)
        .getByText(/San Andreas\/models\/peds/)
        .first()
        .dblclick()
      await tool(stage, /Notices in full$/).click()
      return () => stage.page.keyboard.press('Escape')
    },
  ],
  ['welcome', (stage) => tool(stage, 'Welcome page').click()],
  [
    'a folder looked for',
    async (stage) => {
      await stage.page.keyboard.press('Control+o')
      await stage.page.getByRole('textbox', { name: 'Folder path' }).waitFor()
    },
  ],
  [
    'first steps',
    async (stage) => {
      await runCommand(stage.page, 'First steps')
      await stage.page.getByRole('region', { name: 'First steps' }).waitFor()
    },
  ],
]

/** By its key, and what it shows then. */
const showPanel = (id: string, keys: string, there = ''): State => [
  id,
  async (stage) => {
    await stage.page.keyboard.press(keys)
    await panelOf(stage, id)
      .locator(there || ':scope')
      .first()
      .waitFor()
  },
  `[data-panel="${id}"]`,
]

/** A model with slices, and what is done to it. */
const MODEL: State[] = [
  [
    'model',
    async ({ page }) => {
      // an edit, so that Changes and History have something to show
      await page.keyboard.press('m')
      await page.getByRole('textbox', { name: /^Name of marker / }).press('Enter')
    },
  ],
  ...(
    [
      ['outliner', '[role=treeitem]'],
      ['files', '[role=option]'],
      ['timeline', '[role=treeitem]'],
      ['inspector', 'h3'],
      ['structure', '.hex'],
      ['weights', '[role=row]'],
      ['problems', '.empty'],
      ['changes', '[role=treeitem]'],
      ['history', '[role=option]'],
      ['texture', 'canvas'],
    ] as const
  ).map(([id, there], i) => showPanel(id, `Alt+${(i + 1) % 10}`, there)),
  showPanel('poses', 'Alt+p'),
  [
    'poses that are kept',
    async ({ page }) => {
      await page.getByLabel('Name of the new pose').fill('stand')
      await page.keyboard.press('Enter')
      await page.getByRole('listbox', { name: 'Kept poses' }).getByRole('option').first().click()
    },
    '[data-panel="poses"]',
  ],
  [
    'a bone',
    async (stage) => {
      await choose(stage, 'joint', 'thigh_l')
      await stage.page.keyboard.press('Alt+4')
      await panelOf(stage, 'inspector').getByLabel('Rotation ° x', { exact: true }).first().waitFor()
    },
    '[data-panel="inspector"]',
  ],
  [
    'curves',
    async ({ page }) => {
      await page.keyboard.press('c')
      await page.getByRole('group', { name: 'Curves' }).waitFor()
    },
    '[data-panel="timeline"]',
  ],
  [
    'a clip',
    async (stage) => {
      await choose(stage, 'clip', 'adventurer')
      await panelOf(stage, 'inspector').getByRole('heading', { name: 'Clip' }).first().waitFor()
    },
    '[data-panel="inspector"]',
  ],
  [
    'a texture',
    async (stage) => {
      await choose(stage, 'texture', 'adventurer')
      await panelOf(stage, 'inspector').getByRole('heading', { name: 'Texture' }).first().waitFor()
    },
    '[data-panel="inspector"]',
  ],
  [
    'chosen keys',
    async (stage) => {
      await stage.page.keyboard.press('c')
      await choose(stage, 'joint', 'thigh_l')
      await stage.page.keyboard.press('Control+a')
      await stage.page.locator('.scale-handle').first().waitFor()
    },
    '[data-panel="timeline"]',
  ],
  ['tools on keys', (stage) => opened(stage, stage.page.locator('.key-tools'), () => tool(stage, 'Tools on keys').click()), '.key-tools'],
  [
    'the last operation',
    async (stage) => {
      await stage.page.keyboard.press('Alt+d')
      await choose(stage, 'joint', 'thigh_l')
      await stage.page.keyboard.press('Alt+k')
      await fill(panelOf(stage, 'inspector').getByLabel('Rotation ° x', { exact: true }).first(), '+12')
      await stage.page.getByRole('group', { name: /^Last operation: / }).waitFor()
    },
    '[data-panel="viewport"]',
  ],
  ['the check in motion', async (stage) => stage.page.getByText(/^Differs, most /).waitFor(), '[data-panel="timeline"]'],
  [
    'feet that slide',
    async (stage) => {
      await tool(stage, /^Feet slide /).click()
      await stage.page.locator('.feet-numbers [role=row], .feet-numbers tr').nth(1).waitFor()
      return async () => {
        await stage.page.keyboard.press('Escape')
        await stage.page.keyboard.press('Alt+d')
        await stage.page.keyboard.press('Alt+k')
      }
    },
    '.feet-numbers',
  ],
  [
    'a chain that is drawn',
    async (stage) => {
      await stage.page.keyboard.press('e')
      await choose(stage, 'joint', 'foot_l')
      await stage.page.getByRole('group', { name: /^Chain of / }).waitFor()
    },
    '[data-panel="viewport"]',
  ],
  [
    'bones that are turned',
    async (stage) => {
      await runCommand(stage.page, 'Turn what is chosen at once, with the pointer')
      await stage.page.getByRole('group', { name: 'Moved or turned at once' }).waitFor()
      return () => stage.page.keyboard.press('Escape')
    },
    '[data-panel="viewport"]',
  ],
  [
    'the bind pose',
    async (stage) => {
      await stage.page.keyboard.press('0')
      await stage.page.getByRole('group', { name: 'The bind pose is shown' }).waitFor()
      return () => stage.page.keyboard.press('0')
    },
    '[data-panel="viewport"]',
  ],
  [
    'the second picture',
    async (stage) => {
      await stage.page.keyboard.press('y')
      await stage.page.getByRole('region', { name: 'Second picture' }).waitFor()
      return () => stage.page.keyboard.press('y')
    },
    '[data-panel="viewport"]',
  ],
  ['export', (stage) => opened(stage, dialogOf(stage, /^Export /), () => runCommand(stage.page, 'Export as GLB')), SIDE],
  ['Blender', (stage) => opened(stage, dialogOf(stage, 'Work in Blender'), () => runCommand(stage.page, 'Work in Blender')), SIDE],
  [
    'a change, and what is kept of a file',
    async (stage) => {
      await stage.page.keyboard.press('Control+s')
      await stage.page.getByRole('tab', { name: /unsaved edits/ }).waitFor({ state: 'detached' })
      await stage.page.keyboard.press('Alt+8')
      const rows = panelOf(stage, 'changes').getByRole('treeitem')
      await rows.first().waitFor()
      await rows.nth(2).click()
      await panelOf(stage, 'changes').locator('.hex').first().waitFor()
      return async () => {
        await stage.page.keyboard.press('Control+z')
        await stage.page.getByRole('tab', { name: /unsaved edits/ }).waitFor()
      }
    },
    '[data-panel="changes"]',
  ],
  [
    'a mod folder',
    async (stage) => {
      const leave = await opened(stage, dialogOf(stage, 'Mod'), () => stage.page.keyboard.press('Control+Shift+M'))
      await tool(stage, 'Save into a mod folder').click()
      await fill(stage.page.getByRole('textbox', { name: /folder/i }).first(), join(stage.place, 'mod'))
      return leave
    },
    SIDE,
  ],
  ['mod', (stage) => opened(stage, dialogOf(stage, 'Mod'), () => stage.page.keyboard.press('Control+Shift+M')), SIDE],
  [
    'a tab that is closed with its edits',
    async (stage) => {
      await stage.page.keyboard.press('Control+w')
      const question = stage.page.getByRole('group', { name: /unsaved edits/i })
      await question.waitFor()
      // who asks to close it once more, by key or by its tab, has not answered
      await stage.page.keyboard.press('Control+w')
      await stage.page
        .locator('header .tab.on')
        .getByRole('button', { name: /^Close / })
        .click()
      await question.waitFor()
      return () => tool(stage, 'Keep open').click()
    },
    'header',
  ],
]

/** One with weights and problems. */
const SKIN: State[] = [
  [
    'clips',
    async (stage) => {
      await stage.page.keyboard.press('Alt+3')
      await tool(stage, /^Clips \d/).click()
      await stage.page.getByRole('grid', { name: 'Clips' }).getByRole('row').first().click()
    },
    '[data-panel="timeline"]',
  ],
  [
    'more for clips',
    async (stage) => {
      return opened(stage, dialogOf(stage, 'More for clips'), () => tool(stage, 'More for clips').click())
    },
    '[role=dialog]',
  ],
  ['problems that there are', showPanel('problems', 'Alt+7', '[role=row]')[1], '[data-panel="problems"]'],
  [
    'weights of a vertex',
    async (stage) => {
      await stage.page.keyboard.press('Alt+6')
      await panelOf(stage, 'weights').locator('[role=grid] [role=row] .vertex').nth(3).click()
      await panelOf(stage, 'weights').locator('.editor').waitFor()
    },
    '[data-panel="weights"]',
  ],
  ['weights by bone', (stage) => panelOf(stage, 'weights').locator('.views .segmented button').nth(1).click(), '[data-panel="weights"]'],
  [
    'tools on weights',
    async (stage) => {
      await panelOf(stage, 'weights').locator('.views .segmented button').nth(2).click()
      await panelOf(stage, 'weights').locator('.tool .title').nth(1).click()
      await fill(panelOf(stage, 'weights').locator('.tool input').first(), '20')
      await panelOf(stage, 'weights').locator('.stored').waitFor()
    },
    '[data-panel="weights"]',
  ],
  [
    'the brush',
    async (stage) => {
      await runCommand(stage.page, 'Paint weights')
      await stage.page.locator('.paint[role=toolbar]').waitFor()
      return () => stage.page.keyboard.press('Escape')
    },
    '[data-panel="viewport"]',
  ],
  [
    'a material',
    async (stage) => {
      await choose(stage, 'material', 'adventurer')
      await stage.page.keyboard.press('Alt+4')
      await panelOf(stage, 'inspector').locator('input[type=color]').first().waitFor()
    },
    '[data-panel="inspector"]',
  ],
  [
    'a motion from another model',
    async (stage) => {
      const panel = dialogOf(stage, 'Motion from another model')
      const leave = await opened(stage, panel, () => runCommand(stage.page, 'Take a motion from another model'))
      await panel.getByText(/body found/).waitFor()
      return leave
    },
    SIDE,
  ],
]

/** One with events, points and submeshes. */
const EVENTS: State[] = [
  [
    'a clip with fields',
    async (stage) => {
      await choose(stage, 'clip', 'attack')
      await stage.page.keyboard.press('Alt+4')
      await panelOf(stage, 'inspector').getByRole('heading', { name: 'Clip' }).first().waitFor()
    },
    '[data-panel="inspector"]',
  ],
  [
    'an event',
    async ({ page }) => {
      await page.keyboard.press('Alt+3')
      const clip = page.getByLabel('Clip', { exact: true })
      await clip.selectOption({ index: (await clip.locator('option').allTextContents()).findIndex((name) => name.includes('attack')) })
      await page.getByRole('button', { name: /^Event 0 / }).dblclick()
      await page.getByRole('group', { name: 'Event 0' }).waitFor()
      return () => page.keyboard.press('Escape')
    },
    '[data-panel="timeline"]',
  ],
  [
    'a point',
    async (stage) => {
      await choose(stage, 'helper', 'head')
      await stage.page.getByRole('textbox', { name: 'Type', exact: true }).waitFor()
    },
    '[data-panel="inspector"]',
  ],
  [
    'submeshes',
    async (stage) => {
      await choose(stage, 'mesh', 'adventurer')
      await stage.page.getByRole('grid', { name: 'Submeshes of adventurer' }).waitFor()
    },
    '[data-panel="inspector"]',
  ],
]

/** A stage whose services say what the test has them say, and wait with an answer for as long as something is looked at. */
interface HeldStage extends Stage {
  tell: Emit
  /** @returns lets the answers go */
  hold: (name: 'lint.library' | 'archive.extract') => () => void
}

type HeldState = [name: string, go: (stage: HeldStage) => ReturnType<State[1]>, within?: string]

/** The sample, which is open. */
const infoOf = async ({ services }: App) => services.handlers['library.openSample']({}, { signal: new AbortController().signal })

/** What comes and goes by itself, of the library. */
const COMING: HeldState[] = [
  [
    'a scan',
    async (stage) => {
      const { id: library } = await infoOf(stage)
      const scan = { library, done: 3, total: 40, current: 'San Andreas/models/peds/adventurer.dff', errors: 1 }
      stage.tell('scan.progress', { ...scan, phase: 'index' })
      await tool(stage, 'Cancel').waitFor()
      return () => Promise.resolve(stage.tell('scan.progress', { ...scan, phase: 'done' }))
    },
  ],
  [
    'a new version',
    async (stage) => {
      stage.tell('update.state', { state: 'available', version: '9.0.0', size: 90_000_000 })
      await stage.page.getByText(/9\.0\.0/).waitFor()
    },
  ],
  [
    'a new version that is loaded',
    async (stage) => {
      stage.tell('update.state', { state: 'loading', version: '9.0.0', percent: 40 })
      await stage.page.getByText('40 %').waitFor()
      return async () => {
        stage.tell('update.state', { state: 'failed', version: '9.0.0' })
        await tool(stage, 'Not now').click()
      }
    },
  ],
  [
    'files that the game updated',
    async (stage) => {
      const { handlers } = stage.services
      const { id: library } = await infoOf(stage)
      const file = { ref: 'a.dff', name: 'a.dff', where: 'models/a.dff', target: 'mod/models/a.dff', sizeThen: 2000, sizeNow: 3000 }
      handlers['mod.updates'] = () => [file, { ...file, target: 'mod/b.dff', where: 'models/b.dff', sizeNow: -1 }]
      await handlers['settings.set']({ saveMode: 'mod-folder', modFolder: stage.place }, { signal: new AbortController().signal })
      await stage.page.goto(stage.url)
      await rows(stage).getByRole('option').first().waitFor()
      stage.tell('mod.updated', { library })
      await tool(stage, /^Show$/).click()
    },
  ],
  [
    'problems that are looked for',
    async (stage) => {
      const go = stage.hold('lint.library')
      const panel = dialogOf(stage, /^Problems of /)
      const leave = await opened(stage, panel, () => stage.page.keyboard.press('Alt+Shift+7'))
      await panel.getByRole('progressbar').waitFor()
      return async () => {
        go()
        await leave()
      }
    },
    SIDE,
  ],
  [
    'members that are being taken out',
    async (stage) => {
      const go = stage.hold('archive.extract')
      const panel = dialogOf(stage, /^Archive /)
      await tool(stage, /^Files/).click()
      await rows(stage).getByText('adventurer.chr', { exact: true }).first().click({ button: 'right' })
      await stage.page.getByRole('menuitem', { name: 'Open archive…' }).click()
      await tool(stage, 'Extract…').click()
      await fill(panel.getByRole('textbox', { name: /folder/i }), stage.place)
      await tool(stage, /^Extract$/).click()
      await panel.getByRole('progressbar', { name: 'Extracting' }).waitFor()
      return async () => {
        go()
        await panel.getByRole('progressbar').waitFor({ state: 'detached' })
        await stage.page.keyboard.press('Escape')
        await stage.page
          .getByLabel(/^Models \d/)
          .filter({ visible: true })
          .click()
      }
    },
    SIDE,
  ],
  [
    'the mod folder of the desktop',
    async (stage) => {
      const { handlers } = stage.services
      const info = handlers['app.info']
      handlers['app.info'] = async (...args) => ({ ...(await info(...args)), host: 'electron' })
      await stage.page.goto(stage.url)
      await stage.page.getByLabel(/^Models \d/).waitFor()
      const leave = await opened(stage, dialogOf(stage, 'Mod'), () => stage.page.keyboard.press('Control+Shift+M'))
      await tool(stage, 'Show in file manager').waitFor()
      return async () => {
        await leave()
        handlers['app.info'] = info
        await stage.page.goto(stage.url)
        await stage.page.getByLabel(/^Models \d/).waitFor()
      }
    },
    SIDE,
  ],
]

/** The same of a model. */
const COMING_MODEL: HeldState[] = [
  [
    'another Marrow at the model',
    async (stage) => {
      const [{ id: model }] = await stage.services.handlers['model.list']({}, { signal: new AbortController().signal })
      stage.tell('model.elsewhere', { model, elsewhere: { edited: ['adventurer.mot'] } })
      await stage.page.getByText(/^Another Marrow has unsaved edits/).waitFor()
      return () => Promise.resolve(stage.tell('model.elsewhere', { model, elsewhere: undefined }))
    },
    'main',
  ],
  [
    'a key in the hand',
    async (stage) => {
      const { page } = stage
      const sheet = page.getByRole('tree', { name: 'Keys' })
      await sheet.getByRole('treeitem').first().waitFor()
      await page.keyboard.press('Control+a')
      const handle = page.locator('.scale-handle').last()
      // once it stands still
      await handle.hover()
      const box = (await handle.boundingBox())!
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      await page.mouse.down()
      for (let i = 1; i <= 4; i++) await page.mouse.move(x - 8 * i, y)
      await page.locator('.drag-readout').waitFor()
      return async () => {
        await page.keyboard.press('Escape')
        await page.mouse.up()
      }
    },
    '[data-panel="timeline"]',
  ],
]

/** What only a long way leads to, with the test that goes it. */
const ELSEWHERE: Record<string, string> = {
  ChangedFiles: 'mod',
  ChangedOnDisk: 'disk',
  ChangedPictures: 'textures',
  DifferenceList: 'disk',
  GameUpdated: 'disk',
  ImageCopyPanel: 'image-copy',
  ImportPanel: 'exchange',
  JointMapPanel: 'library',
  NothingDrawn: 'errors',
  PackagePanel: 'desktop',
  PlaceText: 'mod',
  StandingMark: 'standings',
  UnsavedEdits: 'restore',
  WelcomeSample: 'first-steps',
}

describe('what everyone can use', () => {
  const seen = new Set<string>()

  async function visit<More = unknown>(
    app: App,
    place: string,
    states: [name: string, go: (stage: Stage & More) => ReturnType<State[1]>, within?: string][],
    more?: More,
  ): Promise<void> {
    const { sample } = await app.services.handlers['app.info']({}, { signal: new AbortController().signal })
    const stage = Object.assign(Object.create(app), { place, sample, ...more }) as Stage & More
    app.page.setDefaultTimeout(20_000)
    await app.page.emulateMedia({ reducedMotion: 'reduce' })
    const found: string[] = []
    for (const [name, go, within] of states) {
      const leave = await go(stage)
      for (const component of await componentsShown(app.page, within)) seen.add(component)
      found.push(...(await accessFindings(app.page, name, within)))
      await leave?.()
    }
    expect(found).toEqual([])
  }

  test('pages outside of a model, in both themes', async ({ startApp, place }) => {
    const app = await startApp({ sample: true })
    await app.page.getByText(/^Scanned /).waitFor()
    await visit(app, place, OUTSIDE)
  }, 300_000)

  test('a model and its panels, in both themes', async ({ startApp, place }) => {
    const app = await startApp({ sample: true })
    await openFromLibrary(app.page, /Dark Cloud\/chara/)
    await atRest(app.page)
    await visit(app, place, MODEL)
    for (const [where, states] of [
      [/San Andreas\/models\/peds/, SKIN],
      [/resource\/model\/animodel/, EVENTS],
    ] as const) {
      await app.page.locator('.tabs').getByRole('tab').first().click()
      await openFromLibrary(app.page, where)
      await atRest(app.page)
      await visit(app, place, states)
    }
  }, 300_000)

  test('what comes and goes by itself, in both themes', async ({ startApp, place, stateFolder: state }) => {
    const services = createServices({ stateFolder: state, host: 'web', watchPause: 0 })
    const { subscribe } = services
    const listeners = new Set<Parameters<typeof subscribe>[0]>()
    services.subscribe = (listener) => {
      listeners.add(listener)
      return subscribe(listener)
    }
    const tell: Emit = (name, event) => listeners.forEach((listener) => listener(name, event))
    const hold: HeldStage['hold'] = (name) => {
      const answered = Promise.withResolvers<void>()
      const handlers = services.handlers as Record<typeof name, (...args: any[]) => Promise<any>>
      const own = handlers[name]
      handlers[name] = async (...args) => {
        await answered.promise
        return own(...args)
      }
      return answered.resolve
    }
    const app = await startApp({ sample: true, services, state })
    await app.page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    await visit<Omit<HeldStage, keyof Stage>>(app, place, COMING, { tell, hold })
    await openFromLibrary(app.page, /Dark Cloud\/chara/)
    await atRest(app.page)
    await visit<Omit<HeldStage, keyof Stage>>(app, place, COMING_MODEL, { tell, hold })
  }, 300_000)

  test('every component of the window was looked at', () => {
    const all = readdirSync(join(projectRoot, 'src/renderer'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.vue'))
      .map((path) => basename(path, '.vue'))
    expect(all.filter((name) => !seen.has(name) && !(name in ELSEWHERE)).sort()).toEqual([])
    expect(Object.keys(ELSEWHERE).filter((name) => !all.includes(name))).toEqual([])
    for (const name of Object.values(ELSEWHERE))
      expect(readFileSync(join(import.meta.dirname, `${name}.test.ts`), 'utf8'), name).toContain('await accessFindings(')
  })

  test('has every control where half of the window is there, its own marks in colours that the system forces, and no motion', async ({
    startApp,
  }) => {
    // 200 % of zoom on a screen of 1024 x 700
    const { page, screenshot } = await startApp({ size: { width: 512, height: 350 } })
    page.setDefaultTimeout(60_000)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.getByRole('main', { name: 'Welcome' }).waitFor()
    expect.soft(await cutControls(page), 'welcome').toEqual([])
    await page.getByText('Open the sample library').click()
    await page.getByText(/^Scanned /).waitFor()
    await screenshot('zoomed-library')
    expect.soft(await cutControls(page), 'library').toEqual([])
    await openFromLibrary(page, /Dark Cloud\/chara/)
    await atRest(page)
    await screenshot('zoomed-model')
    expect.soft(await cutControls(page), 'model').toEqual([])
    for (const key of ['Alt+1', 'Alt+4', 'Alt+6', 'Alt+8']) {
      await page.keyboard.press(key)
      expect.soft(await cutControls(page), key).toEqual([])
    }
    await page.keyboard.press('Control+,')
    await page.getByRole('dialog', { name: 'Settings' }).waitFor()
    await screenshot('zoomed-settings')
    expect.soft(await cutControls(page), 'settings').toEqual([])
    await page.keyboard.press('Escape')

    await page.setViewportSize({ width: 1440, height: 900 })
    await page.emulateMedia({ reducedMotion: 'reduce', forcedColors: 'active' })
    await page.keyboard.press('Alt+1')
    await page.getByRole('tree', { name: 'Outliner' }).getByRole('treeitem').nth(2).click()
    await screenshot('forced-colors')
    const chosen = page.getByRole('tree', { name: 'Outliner' }).getByRole('treeitem', { selected: true }).first()
    expect.soft(await chosen.evaluate((row: any) => getComputedStyle(row).outlineStyle)).toBe('solid')
    const pressed = page.locator("[aria-pressed='true']").first()
    const plain = page.locator("[aria-pressed='false']").first()
    const background = (element: any): string => getComputedStyle(element).backgroundColor
    expect.soft(await pressed.evaluate(background)).not.toBe(await plain.evaluate(background))
    const moving = (): Promise<string[]> =>
      page.evaluate(() =>
        document
          .getAnimations()
          .filter(({ effect, playState }: any) => playState === 'running' && effect.getComputedTiming().duration > 1)
          .map((animation: any) => `${animation.animationName ?? animation.transitionProperty} of ${animation.effect.target?.className}`),
      )
    // one that began before motion was switched off may still be on its way
    await expect.poll(moving).toEqual([])
  }, 180_000)
})
