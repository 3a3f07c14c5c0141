/** What names and colours of a vehicle's parts mean to the games. */
import { say } from '../texts/index.ts'
import type { Scene } from '../../../../shared/scene/types.ts'
import type { Neighbourhood } from '../../binding.ts'
import type { ClumpView } from '../codecs/model.ts'

/**
 * Colours that the game never shows: two stand for what a car is painted with, four tell its lamps apart (front left and right, rear left and
 * right) and are white when they are off.
 */
export const CAR_COLORS: ReadonlyMap<number, 'paint' | 'lamp'> = new Map([
  [0x3cff00, 'paint'],
  [0xff00af, 'paint'],
  [0xffaf00, 'lamp'],
  [0x00ffc8, 'lamp'],
  [0xb9ff00, 'lamp'],
  [0xff3c00, 'lamp'],
])

/** Frames that vehicles alone have: the body that is drawn, and the places of the wheels by their side. */
const CHASSIS = /^chassis(?:_dummy|_vlo)?$/i
const WHEEL_PLACE = /^wheel_([lr])[fmb]_dummy$/i

/** Whether the game makes a vehicle of a clump: it paints those itself, and draws them with pictures that all of them share. */
export function isVehicle({ frames }: ClumpView): boolean {
  return frames.some(({ name }) => CHASSIS.test(name) || WHEEL_PLACE.test(name))
}

/** Dictionary of the game that every vehicle draws from beside its own. */
export const SHARED_BY_VEHICLES = 'vehicle'

/** Files that models share in the game and that the library does not have. */
export function absent(folder: string, around: Pick<Neighbourhood, 'byStem'>): readonly string[] {
  return around.byStem(SHARED_BY_VEHICLES, folder).some(({ format }) => format === 'renderware.txd') ? [] : [SHARED_BY_VEHICLES]
}

/** Whether what a clump's dictionaries lack may stand in the one that vehicles share, and that is not in the library: no fault of the model then. */
export function mayBeShared(clump: ClumpView, missing: () => readonly string[]): boolean {
  return isVehicle(clump) && missing().includes(SHARED_BY_VEHICLES)
}

/** Damaged parts wait for a crash; atomics without the render flag are never drawn. */
export function isVisible(name: string, flags: number): boolean {
  return (flags & 4) !== 0 && !/_dam$/i.test(name)
}

/**
 * A car has one wheel, at the right front; the game puts copies of it at the other `wheel_*_dummy` frames, turned round
 * on the left side.
 */
export function addWheels(scene: Scene): void {
  const { skeleton, meshes } = scene
  const wheel = meshes.find(
    (m) =>
      m.skin < 0 &&
      m.joint >= 0 &&
      /^wheel$/i.test(m.name) &&
      skeleton.parents[m.joint] >= 0 &&
      WHEEL_PLACE.test(skeleton.names[skeleton.parents[m.joint]]),
  )
  if (!wheel) return
  const home = skeleton.parents[wheel.joint]
  const taken = new Set(meshes.map((m) => (m.joint >= 0 ? skeleton.parents[m.joint] : -1)))
  for (let joint = 0; joint < skeleton.count; joint++) {
    const side = WHEEL_PLACE.exec(skeleton.names[joint])
    if (!side || joint === home || taken.has(joint)) continue
    const local = skeleton.restLocal.slice(16 * wheel.joint, 16 * wheel.joint + 16)
    const turn = side[1].toLowerCase() === 'l' ? -1 : 1
    const move = (source: Float32Array, w: number): Float32Array => {
      const out = new Float32Array(source.length)
      for (let i = 0; i + 2 < source.length; i += 3) {
        const [x, y, z] = source.subarray(i, i + 3)
        for (let r = 0; r < 3; r++)
          out[i + r] = (r === 1 ? 1 : turn) * (local[r] * x + local[4 + r] * y + local[8 + r] * z + local[12 + r] * w)
      }
      return out
    }
    meshes.push({
      ...wheel,
      name: `${wheel.name} at ${skeleton.names[joint]}`,
      joint,
      positions: move(wheel.positions, 1),
      normals: move(wheel.normals, 0),
    })
  }
}

/** `_vlo` and `_lo` parts are drawn from afar instead of the others; levels exist only where a file has such parts. */
export function markLevels(scene: Scene): void {
  const { meshes } = scene
  const level = (name: string): number => (/_vlo$/i.test(name) ? 0 : /_lo(_\w+)?$/i.test(name) ? 1 : 2)
  const used = [...new Set(meshes.map((m) => level(m.name)))].sort()
  if (used.length < 2) return
  const names = [say('scene.lods.veryLow'), say('scene.lods.low'), say('scene.lods.full')]
  scene.lods = used.map((l) => names[l])
  for (const mesh of meshes) mesh.lod = used.indexOf(level(mesh.name))
}
