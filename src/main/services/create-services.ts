/** Stands in until the services are written: the hosts are built on its form. */
import { contract } from '../../shared/api/contract.ts'
import type { Settings } from '../../shared/api/contract.ts'
import { FormatError } from '../binary/format-error.ts'
import type { Handlers, Services } from './service.ts'

export interface ServicesOptions {
  stateFolder: string
  host: 'electron' | 'web'
}

export function createServices({ host }: ServicesOptions): Services {
  let settings: Settings = { tickRate: 30, theme: 'system', saveMode: 'in-place', modFolder: '', teamColor: '#3060d0', window: {} }
  const missing = (name: string) => () => {
    throw new FormatError('unsupported', `${name} is not written yet`)
  }
  const given: Partial<Handlers> = {
    'app.info': () => ({ version: '0.0.0', host, platform: process.platform, sample: '', recent: [] }),
    'settings.get': () => settings,
    'settings.set': (values) => (settings = { ...settings, ...values } as Settings),
    'folders.pick': () => null,
    'model.list': () => [],
    'recovery.list': () => [],
  }
  return {
    handlers: { ...Object.fromEntries(Object.keys(contract).map((name) => [name, missing(name)])), ...given } as Handlers,
    subscribe: () => () => {},
    close: async () => {},
  }
}
