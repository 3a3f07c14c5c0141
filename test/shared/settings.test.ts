import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { defaultSettings, parseSettings, SETTINGS, settingsChangeSchema } from '../../src/shared/api/settings.ts'
import { keysOf, shown, textOf } from '../../src/renderer/features/settings/rows.ts'
import { defaultDisplay } from '../../src/renderer/viewport/types.ts'

describe('settings', () => {
  it('have defaults that are within their own limits, and are the defaults everywhere', () => {
    expect(v.parse(settingsChangeSchema, defaultSettings)).toEqual(defaultSettings)
    expect(parseSettings(undefined)).toEqual(defaultSettings)
    expect(defaultDisplay.teamColor).toBe(defaultSettings.teamColor)
    expect(defaultDisplay.checker).toBe(defaultSettings.missingTextures === 'checker')
  })

  it('fall back one by one where what is stored is out of its limits', () => {
    const stored = { theme: 'dark', tickRate: 1000, teamColor: 'red', saveMode: 7, updates: false, window: { layout: 'x' }, more: 1 }
    expect(parseSettings(stored)).toEqual({ ...defaultSettings, theme: 'dark', updates: false, window: { layout: 'x' } })
    for (const rubbish of [null, 'settings', 5, [1]]) expect(parseSettings(rubbish)).toEqual(defaultSettings)
  })

  it('are set one at a time, within their limits', () => {
    expect(v.parse(settingsChangeSchema, { tickRate: 240 })).toEqual({ tickRate: 240 })
    for (const wrong of [{ tickRate: 0 }, { tickRate: NaN }, { theme: 'blue' }, { teamColor: '#12345' }, { modFolder: 'x'.repeat(4097) }])
      expect(v.safeParse(settingsChangeSchema, wrong).success, JSON.stringify(wrong)).toBe(false)
  })

  it('have words for every row of their page', () => {
    expect(shown.map(([name]) => name)).toEqual(Object.keys(SETTINGS).filter((name) => !['keys', 'rulesOff', 'window'].includes(name)))
    for (const [name, setting] of shown) for (const key of keysOf(name, setting)) expect(textOf(key), key).not.toBe(key)
  })
})
