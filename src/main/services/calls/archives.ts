/** Archives as a whole: members listed, taken out, and changed as planned steps until they are saved. */
import { existsSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { FormatError } from '../../binary/format-error.ts'
import { isPortableName } from '../../../shared/portable-name.ts'
import { extractArchive } from '../../workspace/archive-extract.ts'
import { archiveTarget, writeArchiveChange, writeArchiveCopy } from '../../workspace/archive-writes.ts'
import { copyBegun } from '../../workspace/large-copy.ts'
import { ArchiveDesks } from '../archive-desks.ts'
import type { ArchiveProgress, ArchiveState } from '../../../shared/api/types/archive.ts'
import type { ArchiveDesk } from '../../workspace/archive-desk.ts'
import type { ArchiveWatch } from '../../workspace/archive-writes.ts'
import type { CallContext, HandlersOf } from './context.ts'
import { say } from '../../../shared/texts/say.ts'

export function archiveCalls({ store, stateFiles, libraries, workspace, finder, emit }: CallContext): HandlersOf<'archive'> {
  const desks = new ArchiveDesks(store, stateFiles, (ref) => finder.place(ref))
  /** archives that are written now: another write, or a step, would be lost */
  const writing = new Set<string>()
  const deskOf = (ref: string): ArchiveDesk => desks.get(libraries.checkRef(ref).ref)
  const still = (desk: ArchiveDesk): ArchiveDesk => {
    if (writing.has(desk.ref)) throw new FormatError('refused', say('archiveEdits.beingWritten'), { file: desk.ref })
    return desk
  }
  const tell = ({ ref }: ArchiveDesk, what: ArchiveProgress['what'] | undefined) => {
    let told = 0
    return (done: number, total: number, pass?: 'write' | 'read'): void => {
      const now = performance.now()
      if (now - told < 50 && done < total) return
      told = now
      emit('archive.progress', { ref, done, total, what: what ?? pass ?? 'write' })
    }
  }
  const changed = (desk: ArchiveDesk): ArchiveState => {
    desks.keep(desk)
    return desk.state()
  }

  return {
    'archive.open': ({ ref }) => desks.open(libraries.checkRef(ref).ref).state(),
    'archive.members': ({ ref, text, offset, limit }) => deskOf(ref).rows(text, offset, limit),
    'archive.hold': ({ ref, bytes }) => ({ body: desks.hold(deskOf(ref).ref, bytes) }),
    'archive.change': ({ ref, step }) => {
      const desk = still(deskOf(ref))
      desks.step(desk, step)
      return desk.state()
    },
    'archive.undo': ({ ref }) => {
      const desk = still(deskOf(ref))
      desk.undo()
      return changed(desk)
    },
    'archive.redo': ({ ref }) => {
      const desk = still(deskOf(ref))
      desk.redo()
      return changed(desk)
    },
    'archive.discard': ({ ref }) => {
      const desk = still(deskOf(ref))
      desks.forget(desk.ref)
      return desks.open(desk.ref).state()
    },
    'archive.plan': async ({ ref, folder, name }) => {
      const desk = still(deskOf(ref))
      const out = outOf(folder, name)
      // where a copy alone can be written, it is told before its place is known
      const planned = desk.plan(true)
      const target = out || (desk.state().copyOnly ? '' : archiveTarget(store, desk.ref, finder.place(desk.ref)).disk)
      const { copied, bodies, tables, members, size, moved, written, notes } = planned.plan
      const begun = out ? ((await stat(copyBegun(out)).catch(() => undefined))?.size ?? 0) : 0
      return { target, members, size, copied, bodies, tables, moved, written, notes, free: target ? await freeAt(target) : -1, begun }
    },
    'archive.save': async ({ ref, folder, name, replaceReadOnly }, { signal }) => {
      const desk = still(deskOf(ref))
      const out = outOf(folder, name)
      const planned = desk.plan(out !== '')
      const watch: ArchiveWatch = { signal, onProgress: tell(desk, undefined) }
      writing.add(desk.ref)
      try {
        const target = archiveTarget(store, desk.ref, finder.place(desk.ref))
        const written = out
          ? await writeArchiveCopy(store, planned, out, false, watch)
          : await writeArchiveChange(store, workspace.originals, planned, target, { replaceReadOnly }, watch)
        // what was planned stands in the copy, and the archive is as it was
        desks.forget(desk.ref)
        return { written, state: desks.open(desk.ref).state() }
      } finally {
        writing.delete(desk.ref)
      }
    },
    'archive.extract': async ({ ref, folder, ids, text, force }, { signal }) => {
      const desk = deskOf(ref)
      if (!isAbsolute(folder)) throw new FormatError('invalid-argument', say('calls.wholeFolderPath'), { file: folder })
      const names = desk.namesInFile(ids ?? [])
      if (ids && names.length === 0) throw new FormatError('not-found', say('archiveEdits.notSaved'), { file: desk.ref })
      const onProgress = tell(desk, 'extract')
      const report = await extractArchive(store, desk.from, names, {
        out: folder,
        filter: text,
        force: force === true,
        signal,
        onProgress: (_, done, all) => onProgress(done, all),
      })
      return {
        folder: report.folder,
        files: report.files.length,
        bytes: report.files.reduce((sum, { bytes }) => sum + bytes, 0),
        failures: report.failures.slice(0, 100).map(({ path, message }) => ({ name: basename(path), message })),
      }
    },
  }
}

/** The file that a copy becomes, '' where none is asked for. @throws FormatError invalid-argument, io for one that is there */
function outOf(folder = '', name = ''): string {
  if (folder === '' && name === '') return ''
  if (!isAbsolute(folder)) throw new FormatError('invalid-argument', say('calls.wholeFolderPath'), { file: folder })
  if (!isPortableName(name)) throw new FormatError('invalid-argument', say('archiveEdits.noFileName', { name }), { path: 'name' })
  const out = join(folder, name)
  if (existsSync(out)) throw new FormatError('io', say('archiveEdits.fileThere', { file: name }), { file: out })
  return out
}

/** Free bytes where a file will stand, -1 where the system does not say. */
async function freeAt(file: string): Promise<number> {
  let folder = dirname(file)
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  const room = await statfs(folder).catch(() => undefined)
  return room ? room.bavail * room.bsize : -1
}
