/** From a list of findings to a place of a file, which is opened for that. */
import { useInspect } from './inspect.ts'
import { useModels } from './models.ts'

export function useGoToPlace() {
  const models = useModels()
  const inspect = useInspect()
  let going = false

  /** Shows the model that a file is part of. @returns whether it is shown */
  async function openFile(ref: string): Promise<boolean> {
    // a file that only belongs to a model is looked at in it
    const holder = models.open.find(({ info }) => info.files.some((file) => file.ref === ref || file.ref.startsWith(`${ref}!`)))
    if (holder) models.show(holder.id)
    return holder !== undefined || (await models.openRef(ref)) !== null
  }

  async function toPlace({ ref, path, offset }: { ref: string; path: string; offset: number }): Promise<void> {
    // a second press of a double click is about the same place
    if (going) return
    going = true
    try {
      if (await openFile(ref)) inspect.reveal(ref, path, offset)
    } finally {
      going = false
    }
  }

  return { openFile, toPlace }
}
