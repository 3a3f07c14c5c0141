import { expect, it } from 'vitest'
import { devScene } from '../../../src/renderer/dev/figure.ts'
import type { LabelLayer, LabelStyle } from '../../../src/renderer/viewport/label-layer.ts'
import type { PlacedLabel } from '../../../src/renderer/viewport/labels.ts'
import { defaultOrbit, frameBounds, projector, VIEWS } from '../../../src/renderer/viewport/orbit.ts'
import { PosedModel } from '../../../src/renderer/viewport/posed-model.ts'
import { drawSceneLabels } from '../../../src/renderer/viewport/scene-labels.ts'
import { defaultDisplay, noSelection, type DisplayOptions, type ViewSelection } from '../../../src/renderer/viewport/types.ts'
import type { ViewState } from '../../../src/renderer/viewport/view-state.ts'

const scene = devScene()
const model = new PosedModel(scene)
const bounds = model.bounds()!
const orbit = { ...defaultOrbit(), ...VIEWS.front }
Object.assign(orbit, frameBounds(orbit, bounds, 4 / 3))
const chest = scene.skeleton.names.indexOf('chest')

/** Names in the colour of what is chosen. */
function strong(selection: Partial<ViewSelection>, display: Partial<DisplayOptions> = {}): string[] {
  const found: string[] = []
  const layer = {
    measure: (text: string) => 6 * text.length,
    labels: (list: readonly PlacedLabel[], _: LabelStyle, ids: ReadonlySet<number>) =>
      void found.push(...list.filter(({ id }) => ids.has(id)).map(({ text }) => text)),
    dots: () => {},
    ring: () => {},
  }
  const state = {
    ...{ model, bounds, hovered: -1, selection: { ...noSelection, ...selection }, display: { ...defaultDisplay, ...display } },
    rig: { projector: () => projector(orbit, 800, 600), width: 800, height: 600 },
    helper: (index: number | undefined) => scene.helpers[index ?? -1],
  }
  drawSceneLabels(layer as unknown as LabelLayer, {} as LabelStyle, state as unknown as ViewState)
  return found
}

it('names a chosen bone until a mesh or a point is chosen, and for as long as its weights are shown', () => {
  expect(strong({ joint: chest })).toEqual(['chest'])
  expect(strong({ joint: chest, mesh: 0 })).toEqual([])
  expect(strong({ joint: chest, mesh: 0 }, { names: true })).toEqual([])
  expect(strong({ joint: chest, helper: 0 })).toEqual([scene.helpers[0].label || scene.helpers[0].name])
  expect(strong({ joint: chest, mesh: 0 }, { heatJoint: chest })).toEqual(['chest'])
})
