/** The connection to the services, settings, and what the window tells the user in passing. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { CallArgs, CallName, CallResult } from '../../shared/api/contract.ts'
import type { Api } from '../../shared/api/transport.ts'
import type { AppInfo } from '../../shared/api/types/app.ts'
import { defaultSettings, type Settings } from '../../shared/api/settings.ts'
import type { ErrorData } from '../../shared/api/errors.ts'
import { COMMON_FAMILY } from '../../shared/api/types/family.ts'
import type { FamilyId } from '../../shared/api/types/family.ts'
import { say } from '../../shared/texts/say.ts'
import { errorData, errorText } from './errors.ts'
import { latestAnswer } from './latest.ts'

export interface Notice {
  id: number
  severity: 'info' | 'good' | 'warning' | 'error'
  message: string
  /** second line: file, field, offset */
  detail: string
  action?: { label: string; run: () => void }
}

export const useSession = defineStore('session', () => {
  const api = shallowRef<Api | null>(null)
  const app = shallowRef<AppInfo | null>(null)
  const settings = shallowRef<Settings>(defaultSettings)
  const notices = ref<Notice[]>([])
  const systemDark = ref(true)
  let nextNotice = 1
  const ask = latestAnswer()

  const theme = computed<'light' | 'dark'>(() =>
    settings.value.theme === 'system' ? (systemDark.value ? 'dark' : 'light') : settings.value.theme,
  )

  /** a family in words */
  function familyLabel(id: FamilyId): string {
    return id === COMMON_FAMILY ? say('common.noFamily') : (app.value?.families.find((family) => family.id === id)?.label ?? id)
  }

  async function start(connected: Api): Promise<void> {
    api.value = connected
    const [info, stored] = await Promise.all([connected.call('app.info', {}), connected.call('settings.get', {})])
    app.value = info
    settings.value = stored
    connected.on('notice', (n) => notify(n.severity, n.message, n.error ? errorText(n.error) : ''))
  }

  function call<K extends CallName>(name: K, args: CallArgs<K>, options?: { signal?: AbortSignal }): Promise<CallResult<K>> {
    if (!api.value) return Promise.reject(new Error('Not connected'))
    return api.value.call(name, args, options)
  }

  async function refreshApp(): Promise<void> {
    app.value = await call('app.info', {})
  }

  /** @returns why the settings stay as they were, null where they changed; told in a message unless whoever asks tells it in its place */
  async function change(values: Partial<Settings>, { quiet = false } = {}): Promise<ErrorData | null> {
    const before = settings.value
    const wanted = ask()
    settings.value = { ...before, ...values }
    try {
      const now = await call('settings.set', values)
      // where settings change again before the answer comes, the answer is out of date
      if (wanted()) settings.value = now
      return null
    } catch (error) {
      if (wanted()) settings.value = before
      return quiet ? errorData(error) : report(error)
    }
  }

  function notify(severity: Notice['severity'], message: string, detail = '', action?: Notice['action']): number {
    const id = nextNotice++
    notices.value = [
      ...notices.value.filter((n) => n.message !== message || n.detail !== detail),
      { id, severity, message, detail, action },
    ].slice(-4)
    if (severity === 'info' || severity === 'good') setTimeout(() => dismiss(id), 5000)
    return id
  }

  function dismiss(id: number): void {
    notices.value = notices.value.filter((n) => n.id !== id)
  }

  /** Shows an error; a cancelled call is not shown. */
  function report(error: unknown): ErrorData {
    const data = errorData(error)
    if (data.code !== 'cancelled') notify('error', data.message, errorText(data, false))
    return data
  }

  return {
    api,
    app,
    settings,
    theme,
    familyLabel,
    systemDark,
    notices,
    start,
    call,
    refreshApp,
    change,
    notify,
    dismiss,
    report,
  }
})
