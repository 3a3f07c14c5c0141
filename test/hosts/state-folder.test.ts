import { describe, expect, it } from 'vitest'
import { stateFolder, userDataFolder } from '../../src/main/hosts/state-folder.ts'

describe('state folder', () => {
  it('is the one that Electron would use, or the one that is asked for', () => {
    expect(userDataFolder({ MARROW_HOME: '/m', XDG_CONFIG_HOME: '/c' }, 'linux', '/home/u')).toBe('/m')
    expect(userDataFolder({ XDG_CONFIG_HOME: '/c' }, 'linux', '/home/u')).toBe('/c/Marrow')
    expect(userDataFolder({}, 'linux', '/home/u')).toBe('/home/u/.config/Marrow')
    expect(userDataFolder({}, 'darwin', '/Users/u')).toBe('/Users/u/Library/Application Support/Marrow')
    expect(userDataFolder({ APPDATA: '/roaming' }, 'win32', '/u')).toBe('/roaming/Marrow')
    // an empty variable is none: the folder would hang below wherever Marrow was started
    expect(userDataFolder({ APPDATA: '' }, 'win32', '/u')).toBe('/u/AppData/Roaming/Marrow')
    expect(stateFolder('/m')).toBe('/m/state')
  })
})
