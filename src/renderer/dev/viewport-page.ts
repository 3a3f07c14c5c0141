/** Development page of the viewport alone: `?` parameters set any display option, `clip`, `time`, `joint`, `mesh`, `vertex`, `view`, `play`, `detail`. Not in the product. */
import '@fontsource-variable/inter'
import '@fontsource-variable/noto-sans-jp'
import { createApp, defineComponent, h, markRaw, ref, shallowRef } from 'vue'
import { blendScene } from './blend-scene.ts'
import { devScene } from './figure.ts'
import { defaultDisplay } from '../viewport/types.ts'
import type { DisplayOptions, ViewName, ViewportHandle, ViewSelection, ViewTool } from '../viewport/types.ts'
import type { Scene } from '../../shared/scene/types.ts'
import { english } from '../../shared/texts/en/index.ts'
import { learn } from '../../shared/texts/say.ts'
import Viewport from '../viewport/Viewport.vue'

learn(english)
const query = new URLSearchParams(location.search)
const number = (name: string, fallback: number): number => Number(query.get(name) ?? fallback)

function displayOf(): DisplayOptions {
  // its pictures are looked at by their colours, the checker's too
  const out: Record<string, unknown> = { ...defaultDisplay, checker: true }
  for (const [key, value] of query)
    if (key in out) out[key] = value === 'true' || value === 'false' ? value === 'true' : /^-?\d+$/.test(value) ? Number(value) : value
  return out as unknown as DisplayOptions
}

const Page = defineComponent({
  setup() {
    const scene = shallowRef<Scene | null>(markRaw(devScene(number('detail', 14))))
    const display = ref(displayOf())
    const selection = ref<ViewSelection>({
      joint: number('joint', -1),
      mesh: number('mesh', -1),
      vertex: query.has('vertex') ? number('vertex', 0) : undefined,
    })
    const clip = ref(number('clip', -1))
    const time = ref(number('time', 0))
    const tool = ref<ViewTool>({
      kind: (query.get('tool') ?? 'none') as ViewTool['kind'],
      space: (query.get('space') ?? 'local') as ViewTool['space'],
    })
    if (query.has('onion')) display.value.onion = { before: 2, after: 2, step: number('onion', 3) }
    if (query.has('trail')) display.value.trail = true
    const handle = ref<ViewportHandle | null>(null)
    window.addEventListener('keydown', (event) => {
      if (event.key === 'b') display.value = { ...display.value, skeleton: !display.value.skeleton }
      if (handle.value) keyMoves[`${event.key.startsWith('Arrow') && event.shiftKey ? 'Shift+' : ''}${event.key}`]?.(handle.value)
    })
    Object.assign(window, {
      page: {
        scene,
        display,
        selection,
        clip,
        time,
        devScene,
        blendScene,
        markRaw,
        handle: () => handle.value,
        counts: () => handle.value?.counts(),
        picks: [] as unknown[],
        poses: [] as unknown[],
        tool,
        stats: null,
        ready: 0,
      },
    })
    if (query.has('play')) {
      let last = performance.now()
      const tick = (now: number): void => {
        time.value = (time.value + ((now - last) / 1000) * 30) % 30
        last = now
        requestAnimationFrame(tick)
      }
      requestAnimationFrame(tick)
    }
    const page = (window as unknown as { page: { picks: unknown[]; poses: unknown[]; stats: unknown; ready: number } }).page
    return () =>
      h(Viewport, {
        ref: handle as never,
        scene: scene.value,
        sceneKey: query.get('key') ?? undefined,
        clip: clip.value,
        time: time.value,
        display: display.value,
        selection: selection.value,
        tool: tool.value,
        onPose: (drag) => page.poses.push(drag),
        'onUpdate:display': (d: DisplayOptions) => (display.value = d),
        onPick: (what) => {
          page.picks.push(what)
          selection.value = { joint: what.joint ?? -1, mesh: what.mesh ?? -1, vertex: what.vertex }
        },
        onStats: (stats) => (page.stats = stats),
        onReady: () => {
          page.ready++
          const view = query.get('view')
          if (view && page.ready === 1) handle.value?.setView(view as ViewName)
        },
      })
  },
})

/** The page's own keys, as the window has its own: the viewport has none. */
const keyMoves: Record<string, (view: ViewportHandle) => void> = {
  '1': (view) => view.setView('front'),
  '3': (view) => view.setView('right'),
  '7': (view) => view.setView('top'),
  f: (view) => view.frame(),
  ArrowLeft: (view) => view.turn(-Math.PI / 24, 0),
  ArrowUp: (view) => view.turn(0, Math.PI / 24),
  'Shift+ArrowRight': (view) => view.pan(-24, 0),
  '+': (view) => view.zoom(1 / 1.15),
  '-': (view) => view.zoom(1.15),
}

createApp(Page).mount('#app')
