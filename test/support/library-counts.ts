/** What a library finds in a folder: to compare one place of the same files with another. */
import { join } from 'node:path'
import { FileStore } from '../../src/main/files/store.ts'
import { openDatabase } from '../../src/main/library/database.ts'
import { indexFolder } from '../../src/main/library/indexer.ts'
import { Library } from '../../src/main/library/library.ts'
import { tempFolder } from '../files/temp.ts'

export function libraryCounts(folder: string): Pick<ReturnType<typeof indexFolder>, 'models' | 'bones' | 'meshes' | 'textures' | 'errors'> {
  const store = new FileStore()
  const library = Library.open(folder, join(tempFolder(), 'index.sqlite'), { store })
  const db = openDatabase(library.database)
  try {
    const { models, bones, meshes, textures, errors } = indexFolder(db, store, library.root, {})
    return { models, bones, meshes, textures, errors }
  } finally {
    db.close()
    library.close()
    store.close()
  }
}
