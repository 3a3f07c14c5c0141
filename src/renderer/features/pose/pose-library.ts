/** Poses that are kept of the shown skeleton, and of others whose joints have its names. The services have them. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { PICTURE_SIZE } from '../../../shared/api/types/library.ts'
import type { KeptPose, PoseShelves } from '../../../shared/api/types/poses.ts'
import { jointsOf, poseOf, wholePose } from '../../../shared/keys/whole-pose.ts'
import { errorData } from '../../core/errors.ts'
import { latestAnswer } from '../../core/latest.ts'
import { useLayout } from '../../core/layout.ts'
import { useModels } from '../../core/models.ts'
import { useSession } from '../../core/session.ts'
import { pickFile, saveAs } from '../../ui/files.ts'
import { usePoseTools } from './pose-tools.ts'
import { say } from '../../../shared/texts/say.ts'

/** A pose as the panel lists it. */
export interface ListedPose extends KeptPose {
  shelf: string
  /** the model of another skeleton that it was kept of, '' for the shown one's own */
  from: string
  /** of its picture, '' without one */
  url: string
}

const NONE: PoseShelves = { shelves: [], strange: [] }

export const usePoseLibrary = defineStore('poseLibrary', () => {
  const session = useSession()
  const models = useModels()
  const layout = useLayout()
  const tools = usePoseTools()
  const found = shallowRef<PoseShelves>(NONE)
  const poses = shallowRef<ListedPose[]>([])
  /** why the last thing that was asked for was not done */
  const refused = ref('')
  /** the panel is there: without it nothing is asked for */
  const watched = ref(false)
  const ask = latestAnswer()

  const own = computed(() => found.value.shelves.find((shelf) => shelf.own) ?? null)
  const groups = computed(() => [...new Set(poses.value.map(({ group }) => group))].filter(Boolean).sort((a, b) => a.localeCompare(b)))

  function show(next: PoseShelves): void {
    const before = new Map(poses.value.map((pose) => [`${pose.shelf}/${pose.id}`, pose.url]))
    found.value = next
    poses.value = next.shelves.flatMap(({ id: shelf, own: mine, label, poses: list }) =>
      list.map((pose) => {
        const key = `${shelf}/${pose.id}`
        const url =
          before.get(key) ?? (pose.png ? URL.createObjectURL(new Blob([pose.png as Uint8Array<ArrayBuffer>], { type: 'image/png' })) : '')
        before.delete(key)
        return { ...pose, shelf, from: mine ? '' : label, url }
      }),
    )
    for (const url of before.values()) if (url) URL.revokeObjectURL(url)
  }

  async function load(): Promise<void> {
    const wanted = ask()
    const model = models.activeId
    const there = watched.value && models.page === 'model' && (models.scene?.skeleton.count ?? 0) > 0
    const next = there ? await session.call('poses.list', { model }).catch(() => NONE) : NONE
    if (wanted()) show(next)
  }
  watch([watched, () => models.page, () => models.activeId, () => models.scene?.skeleton.names], load, { immediate: true })

  /** Does it, shows what is there then, and says why where it cannot be done. */
  async function change<T>(run: () => Promise<T>): Promise<T | null> {
    refused.value = ''
    try {
      const done = await run()
      await load()
      return done
    } catch (error) {
      refused.value = errorData(error).message
      return null
    }
  }

  /** The pose at the playhead, of the chosen bones or of all. @returns its id */
  async function keep(name: string, group: string): Promise<string | null> {
    const of = tools.now()
    if (!of) return null
    const { joints } = of
    const columns = jointsOf(wholePose(of.scene, of.clip, of.time), joints)
    const rgba = await picture().catch(() => undefined)
    const done = await change(() => session.call('poses.keep', { model: models.activeId, name, group, joints, ...columns, rgba }))
    return done?.id ?? null
  }

  /** The figure in the middle of the picture, small. */
  async function picture(): Promise<Uint8Array | undefined> {
    const shot = await layout.viewport?.figure()
    if (!shot) return undefined
    const image = await createImageBitmap(shot)
    const side = Math.min(image.width, image.height)
    const canvas = new OffscreenCanvas(PICTURE_SIZE, PICTURE_SIZE)
    const context = canvas.getContext('2d')!
    context.imageSmoothingQuality = 'high'
    context.drawImage(image, (image.width - side) / 2, (image.height - side) / 2, side, side, 0, 0, PICTURE_SIZE, PICTURE_SIZE)
    image.close()
    return new Uint8Array(context.getImageData(0, 0, PICTURE_SIZE, PICTURE_SIZE).data.buffer)
  }

  const put = (pose: ListedPose, mirrored = false): Promise<boolean> => tools.putKept(pose.name, poseOf(pose.joints, pose), mirrored)

  const rename = ({ shelf, id }: ListedPose, values: { name?: string; group?: string }): Promise<unknown> =>
    change(() => session.call('poses.change', { shelf, pose: id, ...values }))

  async function remove({ shelf, id, name }: ListedPose): Promise<void> {
    const done = await change(() => session.call('poses.remove', { shelf, pose: id }).then(() => true))
    if (!done) return
    const run = (): unknown => change(() => session.call('poses.putBack', { shelf, pose: id }))
    session.notify('info', say('poseLibrary.removed', { name }), '', { label: say('poseLibrary.putBack'), run: () => void run() })
  }

  async function exportOwn(): Promise<void> {
    const shelf = own.value?.id
    const file = shelf && (await change(() => session.call('poses.export', { shelf })))
    if (file) saveAs(file.name, file.bytes, 'application/json')
  }

  async function importFile(): Promise<void> {
    const file = await pickFile('.json')
    if (!file) return
    const bytes = new Uint8Array(await file.arrayBuffer())
    const done = await change(() => session.call('poses.import', { model: models.activeId, name: file.name, bytes }))
    if (done) session.notify('good', done.added > 0 ? say('poseLibrary.imported', { count: done.added }) : say('poseLibrary.importedNone'))
  }

  return { found, poses, own, groups, refused, watched, keep, put, rename, remove, exportOwn, importFile }
})
