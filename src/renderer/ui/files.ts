/** Files of the user's machine, in and out, the same way in both hosts. */

/** Asks for one file; null when the user thinks better of it. */
export function pickFile(accept: string): Promise<File | null> {
  return new Promise((resolve) => {
    const input = document.createElement('input')
    input.type = 'file'
    input.accept = accept
    input.addEventListener('change', () => resolve(input.files?.[0] ?? null))
    input.addEventListener('cancel', () => resolve(null))
    input.click()
  })
}

export function saveAs(name: string, bytes: Uint8Array, type = 'application/octet-stream'): void {
  const url = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Asks for any number of files; none when the user thinks better of it. */
export function pickFiles(): Promise<File[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input')
    input.type = 'file'
    input.multiple = true
    input.addEventListener('change', () => resolve([...(input.files ?? [])]))
    input.addEventListener('cancel', () => resolve([]))
    input.click()
  })
}

/** Asks for a folder: all files below it, by their ways from there. */
export function pickFolderFiles(): Promise<DroppedFile[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input')
    input.type = 'file'
    input.webkitdirectory = true
    const found = (): DroppedFile[] =>
      // the first part is the folder's own name
      [...(input.files ?? [])].map((file) => ({ path: file.webkitRelativePath.split('/').slice(1).join('/') || file.name, file }))
    input.addEventListener('change', () => resolve(found()))
    input.addEventListener('cancel', () => resolve([]))
    input.click()
  })
}

/** A file, and where it stood below what was dropped, with `/`. */
export interface DroppedFile {
  path: string
  file: File
}

export function carriesFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') === true
}

export function isPng(file: File | null | undefined): boolean {
  return file !== null && file !== undefined && (file.type === 'image/png' || /\.png$/i.test(file.name))
}

/**
 * What a drop carries, folders walked through. It is to be called while the drop is handled: later the browser has forgotten.
 * @param most files; the walk ends one beyond, so that too many can be told
 */
export function droppedFiles(transfer: DataTransfer, most: number): () => Promise<DroppedFile[]> {
  const entries = [...transfer.items].filter((item) => item.kind === 'file').map((item) => item.webkitGetAsEntry())
  const loose = [...transfer.files]
  return async () => {
    const found: DroppedFile[] = []
    // a file that a script made has no entry
    if (entries.every((entry) => entry === null)) return loose.map((file) => ({ path: file.name, file }))
    const waiting = entries.filter((entry) => entry !== null).map((entry) => ({ entry, path: entry.name }))
    for (let next = waiting.shift(); next && found.length <= most; next = waiting.shift()) {
      const { entry, path } = next
      if (entry.isFile) found.push({ path, file: await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail)) })
      else {
        const reader = (entry as FileSystemDirectoryEntry).createReader()
        // a reader gives a hundred at a time, and none at the end
        for (;;) {
          const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail))
          if (some.length === 0) break
          waiting.push(...some.map((child) => ({ entry: child, path: `${path}/${child.name}` })))
          if (found.length + waiting.length > 4 * most) break
        }
      }
    }
    return found
  }
}
