/** Where fields are read and set: in a file of the model that is shown, or elsewhere. */
import type { EditableField } from '../../../shared/api/types/fields.ts'
import { useModels } from '../models.ts'
import { useSession } from '../session.ts'

export interface FieldAccess {
  /** @throws the services' errors, as `set` does */
  read(path: string): Promise<EditableField>
  /** @param gesture what comes of one is one step, where that is known */
  set(path: string, value: string, gesture?: string): Promise<unknown>
  /** becomes another one when fields have to be read again */
  version(): unknown
}

/** Fields of a file of the model that is shown. */
export function useModelFields(fileRef: () => string): FieldAccess {
  const session = useSession()
  const models = useModels()
  return {
    read: (path) => session.call('fields.get', { model: models.activeId, ref: fileRef(), path }),
    set: (path, value, gesture) =>
      models.edit('fields.set', { ref: fileRef(), values: [{ path, value }], ...(gesture ? { gesture } : {}) }, { quiet: true }),
    version: () => `${models.activeId} ${models.info?.revision ?? ''}`,
  }
}
