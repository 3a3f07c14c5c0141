import { describe, expect, it } from 'vitest'
import { keyName, showKey } from '../../../src/renderer/core/keymap/keystroke.ts'
import { matchCommands } from '../../../src/renderer/core/commands/match.ts'
import { aliasesOf, catalogue } from '../../../src/renderer/core/keymap/catalogue.ts'
import { commandAliases } from '../../../src/shared/texts/en/commands.ts'
import { press } from './press.ts'

describe('key names', () => {
  it('take Ctrl or Cmd as the one modifier of the system', () => {
    expect(keyName(press('s', { ctrlKey: true }), false)).toBe('Mod+S')
    expect(keyName(press('s', { metaKey: true }), true)).toBe('Mod+S')
    expect(keyName(press('s', { metaKey: true }), false)).toBe('Meta+S')
    expect(keyName(press('s', { ctrlKey: true }), true)).toBe('Ctrl+S')
  })

  it('name letters by their key, whatever Shift or Alt make of them', () => {
    expect(keyName(press('P', { ctrlKey: true, shiftKey: true }), false)).toBe('Mod+Shift+P')
    expect(keyName(press('å', { altKey: true, code: 'KeyA' }), true)).toBe('Alt+A')
    expect(keyName(press('¡', { altKey: true, code: 'Digit1' }), true)).toBe('Alt+1')
  })

  it('name signs by themselves', () => {
    expect(keyName(press('?', { shiftKey: true, code: 'Slash' }), false)).toBe('?')
    expect(keyName(press(' '), false)).toBe('Space')
    expect(keyName(press('ArrowUp', { altKey: true }), false)).toBe('Alt+ArrowUp')
  })

  it('are shown as the system writes them', () => {
    expect(showKey('Mod+Shift+P', false)).toBe('Ctrl+Shift+P')
    expect(showKey('Mod+Shift+P', true)).toBe('⇧⌘P')
    expect(showKey('Alt+ArrowUp', false)).toBe('Alt+↑')
  })
})

describe('command palette', () => {
  const entry = (
    title: string,
    group = 'Edit',
    typed = false,
  ): { id: string; title: string; group: string; shortcut: string; typed: boolean; run: () => void } => ({
    id: title,
    title,
    group,
    shortcut: '',
    typed,
    run: () => {},
  })
  const all = [entry('Undo'), entry('Add slice', 'Slice'), entry('Slice table', 'Panel'), entry('歩き', 'Play slice', true)]

  it('lists commands, and the rest once something is typed', () => {
    expect(matchCommands(all, '').map((e) => e.title)).toEqual(['Undo', 'Add slice', 'Slice table'])
    expect(matchCommands(all, '歩').map((e) => e.title)).toEqual(['歩き'])
  })

  it('puts what ran last first, where the text says nothing else', () => {
    expect(matchCommands(all, '', ['Slice table', 'gone']).map((e) => e.title)).toEqual(['Slice table', 'Undo', 'Add slice'])
    expect(matchCommands([entry('Show a'), entry('Show b')], 'show', ['Show b']).map((e) => e.title)).toEqual(['Show b', 'Show a'])
    // the start of a title counts more than what was done before
    expect(matchCommands(all, 'slice', ['Add slice'])[0].title).toBe('Slice table')
  })

  it('puts titles that begin with the text first and needs every word', () => {
    expect(matchCommands(all, 'slice')[0].title).toBe('Slice table')
    expect(matchCommands(all, 'sli add').map((e) => e.title)).toEqual(['Add slice'])
    expect(matchCommands(all, 'nothing')).toEqual([])
  })

  it('finds what is called otherwise elsewhere, after what is called so', () => {
    const known = [{ ...entry('Curves'), aliases: 'graph editor' }, entry('Save the graph')]
    expect(matchCommands(known, 'graph').map((e) => e.title)).toEqual(['Save the graph', 'Curves'])
    expect(matchCommands(known, 'Graph editor').map((e) => e.title)).toEqual(['Curves'])
    // from the start of a word on: the middle of one that nobody sees would be a riddle
    expect(matchCommands(known, 'raph').map((e) => e.title)).toEqual(['Save the graph'])
    for (const [words, id] of [
      ['retarget', 'clip.retarget'],
      ['inverse kinematics', 'pose.reach'],
      ['dope sheet', 'view.timeline'],
      ['uv', 'view.texture'],
      ['theme', 'app.theme'],
      ['test folder', 'mod.show'],
    ] as const)
      expect(aliasesOf(id)).toContain(words)
    expect(aliasesOf('edit.undo')).toBe('')
    expect(Object.keys(commandAliases).filter((id) => !(id in catalogue))).toEqual([])
  })
})
