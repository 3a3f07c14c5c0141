/** Help → Save diagnostics: what the file would hold, and the file. */
import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { DiagnosticsPreview } from '../../../shared/api/desktop.ts'
import { useSession } from '../../core/session.ts'
import { errorData } from '../../core/errors.ts'
import { saveAs } from '../../ui/files.ts'
import { say } from '../../../shared/texts/say.ts'

export const useDiagnostics = defineStore('diagnostics', () => {
  const session = useSession()
  const shown = ref(false)
  const preview = shallowRef<DiagnosticsPreview | null>(null)
  /** failing files whose beginning is sent, too */
  const headers = ref<string[]>([])
  const busy = ref(false)
  const failure = ref('')

  async function open(): Promise<void> {
    shown.value = true
    preview.value = null
    headers.value = []
    failure.value = ''
    try {
      preview.value = await session.call('diagnostics.look', {})
    } catch (error) {
      failure.value = errorData(error).message
    }
  }

  async function save(): Promise<void> {
    if (busy.value) return
    busy.value = true
    failure.value = ''
    try {
      const { fileName, bytes } = await session.call('diagnostics.make', {
        headers: headers.value,
        window: {
          browser: navigator.userAgent,
          language: navigator.language,
          size: `${innerWidth} × ${innerHeight} at ${devicePixelRatio}`,
          graphics: graphics(),
        },
      })
      saveAs(fileName, bytes, 'application/zip')
      session.notify('good', say('help.diagnostics.saved', { file: fileName }))
      shown.value = false
    } catch (error) {
      failure.value = errorData(error).message
    } finally {
      busy.value = false
    }
  }

  return { shown, preview, headers, busy, failure, open, save }
})

/** What draws, as far as it says. */
function graphics(): string {
  const gl = document.createElement('canvas').getContext('webgl2')
  if (!gl) return say('help.diagnostics.noWebgl')
  const info = gl.getExtension('WEBGL_debug_renderer_info')
  const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER))
  gl.getExtension('WEBGL_lose_context')?.loseContext()
  return name
}
