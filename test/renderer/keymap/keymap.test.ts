import { describe, expect, it } from 'vitest'
import { catalogue, commandIds, type CommandId } from '../../../src/renderer/core/keymap/catalogue.ts'
import { conflictsOf } from '../../../src/renderer/core/keymap/conflicts.ts'
import { defaultKeys, keysOf, PRESETS } from '../../../src/renderer/core/keymap/presets.ts'
import { keyNames, showKey, typesText } from '../../../src/renderer/core/keymap/keystroke.ts'
import type { KeyPreset } from '../../../src/shared/api/settings.ts'
import { fileMenu, editMenu, helpMenu, viewMenu } from '../../../src/shared/api/menu.ts'
import { press } from './press.ts'

const presets = Object.keys(PRESETS) as KeyPreset[]

describe('the keymap', () => {
  it.each(presets)('of the preset %s gives no key to two commands of one scope, nor of one and an outer one', (preset) => {
    expect(conflictsOf(keysOf(preset, {}))).toEqual([])
  })

  it('finds such a conflict, in one scope and in an outer one, and none beside each other', () => {
    const keys = (changed: Record<string, string[]>): unknown => conflictsOf(keysOf('marrow', changed))
    expect(keys({ 'pose.move': ['L'] })).toEqual([{ key: 'L', commands: ['play.loop', 'pose.move'] }])
    expect(keys({ 'weights.add': ['G'] })).toEqual([{ key: 'G', commands: ['weights.add', 'pose.move'] }])
    expect(keys({ 'pose.move': [] })).toEqual([])
  })

  it('has keys that a press can have, and shows each', () => {
    for (const preset of presets)
      for (const keys of keysOf(preset, {}).values())
        for (const key of keys) {
          expect(key).toMatch(/^(Mod\+)?(Alt\+)?(Shift\+)?([A-Z0-9]|[^A-Za-z0-9\s]|F\d+|[A-Z][A-Za-z]+)$/)
          expect(showKey(key, false)).not.toBe('')
        }
  })

  it('knows what a command stands for, and gives no key to what is under another', () => {
    for (const id of commandIds)
      for (const member of catalogue[id].first ?? []) {
        expect(commandIds).toContain(member)
        for (const preset of presets) expect(defaultKeys(preset, member as CommandId), member).toEqual([])
      }
  })

  it('is what the menus of the host show', () => {
    for (const entry of [...fileMenu, ...editMenu, ...viewMenu, ...helpMenu])
      if (entry !== '-') expect(entry.accelerator, entry.id).toBe(catalogue[entry.id as CommandId].keys?.[0]?.replace('Mod', 'CmdOrCtrl'))
  })
})

describe('names of a press', () => {
  it('are the sign, then the key it stands on', () => {
    expect(keyNames(press('!', { shiftKey: true, code: 'Digit1' }), false)).toEqual(['!', 'Shift+1'])
    expect(keyNames(press('&', { code: 'Digit1' }), false)).toEqual(['&', '1'])
    expect(keyNames(press('а', { code: 'KeyF' }), false)).toEqual(['а', 'F'])
    expect(keyNames(press('z', { code: 'KeyY' }), false)).toEqual(['Z'])
  })

  it('of a sign that AltGr types are the sign alone', () => {
    const altGr = press('{', { code: 'Digit7', ctrlKey: true, altKey: true, getModifierState: (key) => key === 'AltGraph' })
    expect(keyNames(altGr, false)).toEqual(['{'])
  })

  it('tell what types a character', () => {
    expect(['A', 'Shift+A', '[', 'Space'].every(typesText)).toBe(true)
    expect(['Mod+A', 'Alt+A', 'F9', 'Delete', 'ArrowUp'].some(typesText)).toBe(false)
  })

  it('show the sign +', () => {
    expect(showKey('+', false)).toBe('+')
    expect(showKey('Mod++', false)).toBe('Ctrl++')
  })
})
