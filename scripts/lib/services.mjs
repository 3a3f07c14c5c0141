// The services that a host serves, made from the sources: Node 24 runs them as they are.
import { existsSync } from 'node:fs'

export async function createHostServices(options) {
  const made = new URL('../../src/main/services/create-services.ts', import.meta.url)
  if (existsSync(made)) return (await import(made.href)).createServices(options)
  // until the services are there: enough for a window with a fake of its own
  const { fakeServices } = await import('../../test/support/fake-services.ts')
  const settings = { tickRate: 30, theme: 'system', saveMode: 'in-place', modFolder: '', teamColor: '#3060d0', window: {} }
  return fakeServices({
    'app.info': () => ({ version: '0.0.0', host: 'web', platform: process.platform, sample: '', recent: [] }),
    'settings.get': () => settings,
    'settings.set': (values) => Object.assign(settings, values),
    'recovery.list': () => [],
    'model.list': () => [],
    'folders.pick': () => null,
  })
}
