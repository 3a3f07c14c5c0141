/** What a model has besides meshes: boxes, points, lights, placeholders. */
import { nameOf } from '../../../binary/reader.ts'
import { vectorToScene } from './basis.ts'
import { BOX_ORIENTED } from '../codecs/box.ts'
import { collectionsOf } from '../codecs/collection.ts'
import { lightsOf } from '../codecs/light.ts'
import { ATTRIBUTE } from '../codecs/mesh.ts'
import { say } from '../texts/index.ts'
import type { Helper, Scene, SourceRef } from '../../../../shared/scene/types.ts'
import type { BoxView } from '../codecs/box.ts'
import type { PointObject } from '../codecs/points.ts'
import type { File } from './objects.ts'

const MOST_HELPERS = 10_000

/** Nothing where the scene has as many as it can show. */
export function addPoint(
  scene: Scene,
  name: string,
  joint: number,
  label: string,
  center: [number, number, number],
  source: SourceRef,
  kind: Helper['kind'] = 'point',
  color: [number, number, number] = [1, 0.8, 0.2],
): void {
  if (scene.helpers.length >= MOST_HELPERS) return
  scene.helpers.push({ name, kind, joint, center: [...center], extent: [0, 0, 0], color, label, source })
}

export function addPointObject(scene: Scene, file: File, { name, kind, shape }: PointObject, joint: number): void {
  const source = { ref: file.ref, path: shape ? (file.paths.get(shape.chunk) ?? '') : '' }
  const at: [number, number, number] = [0, 0, 0]
  if (shape && shape.center.every(Number.isFinite)) vectorToScene(at, 0, shape.center, 0)
  const label = say(`scene.helpers.${kind}`)
  if (kind !== 'sphere' || !shape || !shape.extent.every(Number.isFinite)) return addPoint(scene, name, joint, label, at, source)
  addPoint(scene, name, joint, label, at, source, 'sphere', [shape.color[0], shape.color[1], shape.color[2]])
  const helper = scene.helpers.at(-1)
  if (helper?.source === source) helper.extent = [Math.max(...shape.extent), 0, 0]
}

export function addBox(scene: Scene, file: File, box: BoxView, joint: number): void {
  if (scene.helpers.length >= MOST_HELPERS) return
  const { data } = box.chunk
  const helper: Helper = {
    name: box.name,
    kind: data.attributes & BOX_ORIENTED ? 'orientedBox' : 'box',
    joint,
    center: [0, 0, 0],
    extent: [0, 0, 0],
    color: [data.color[0] / 255, data.color[1] / 255, data.color[2] / 255],
    label: data.attributes & ATTRIBUTE.COLLISION ? say('scene.helpers.collisionBox') : say('scene.helpers.box'),
    source: { ref: file.ref, path: file.paths.get(box.chunk) ?? '' },
  }
  vectorToScene(helper.center, 0, data.center, 0)
  vectorToScene(helper.extent, 0, data.extent, 0)
  scene.helpers.push(helper)
}

/** Lights and placeholders of a file: no model names them. */
export function addLoose(scene: Scene, file: File, joint: number): void {
  for (const [i, light] of lightsOf(file.document).entries()) {
    const at: [number, number, number] = [0, 0, 0]
    vectorToScene(at, 0, light.place, 0)
    // lights have no names
    addPoint(
      scene,
      `light ${i + 1}`,
      joint,
      say('scene.helpers.light'),
      at,
      { ref: file.ref, path: file.paths.get(light.chunk) ?? '' },
      'light',
      light.color,
    )
  }
  for (const collection of collectionsOf(file.document)) {
    for (const place of collection.placeholders) {
      const at: [number, number, number] = [0, 0, 0]
      vectorToScene(at, 0, place.transform, 9)
      addPoint(scene, nameOf(place.name), joint, say('scene.helpers.placeholder'), at, {
        ref: file.ref,
        path: file.paths.get(collection.chunk) ?? '',
      })
    }
  }
}
