/** Archives as a whole: members listed, taken out, and changed as planned steps until they are saved. */
import { setImmediate as breathe } from 'node:timers/promises'
import { isAbsolute } from 'node:path'
import { FormatError } from '../../binary/format-error.ts'
import { freeAt } from '../../files/room.ts'
import { INBOX_LIMITS } from '../../../shared/api/desktop.ts'
import { NEW_ARCHIVE } from '../../../shared/api/types/archive.ts'
import { ArchiveDesk } from '../../workspace/archive-desk.ts'
import { extractArchive } from '../../workspace/archive-extract.ts'
import { filesOf } from '../../workspace/archive-new.ts'
import { archiveTarget, intoOwnCopy, writeArchiveChange, writeArchiveCopy, writtenPlan } from '../../workspace/archive-writes.ts'
import { ArchiveDesks } from '../archive-desks.ts'
import { begunAt, outOf } from '../copy-place.ts'
import { pausing } from '../pausing.ts'
import type { Stepwise } from '../../../shared/stepwise.ts'
import type { ArchiveBytes, ArchiveProgress, ArchiveState } from '../../../shared/api/types/archive.ts'
import type { PlannedChange } from '../../workspace/archive-edits.ts'
import type { NewArchiveDesk } from '../../workspace/new-archive-desk.ts'
import type { ArchiveWatch } from '../../workspace/archive-writes.ts'
import type { CallContext, HandlersOf } from './context.ts'
import { paced } from '../../../shared/stepwise.ts'
import { say } from '../../../shared/texts/say.ts'

/** Milliseconds that others wait while very many members are gone through. */
const OTHERS_WAIT = 5
const inSteps = <T>(work: Stepwise<T>, signal: AbortSignal): Promise<T> => {
  const pause = pausing(signal, () => undefined, OTHERS_WAIT)
  return paced(work, pause)
}
/** what was written is shown, whoever left meanwhile */
const NEVER = new AbortController().signal

/** Members that the window names of those that went otherwise than asked. */
const MOST_TOLD = 100

type Desk = ArchiveDesk | NewArchiveDesk
type Write = (watch: ArchiveWatch) => Promise<string[]>

export function archiveCalls({ host, store, stateFiles, libraries, workspace, finder, taken, emit }: CallContext): HandlersOf<'archive'> {
  const desks = new ArchiveDesks(
    store,
    stateFiles,
    (ref) => finder.place(ref),
    (target) => intoOwnCopy(store, workspace.originals, target),
  )
  /** archives that are written now: another write, or a step, would be lost */
  const writing = new Set<string>()
  const refOf = (ref: string): string => (ref === NEW_ARCHIVE ? ref : libraries.checkRef(ref).ref)
  const opened = async (ref: string, signal = NEVER): Promise<Desk> => {
    await inSteps(desks.opening(ref), signal)
    return desks.open(ref)
  }
  const deskOf = (ref: string): Desk => desks.get(refOf(ref))
  const still = (desk: Desk): Desk => {
    if (writing.has(desk.ref)) throw new FormatError('refused', say('archiveEdits.beingWritten'), { file: desk.ref })
    return desk
  }
  const tell = ({ ref }: Desk, what: ArchiveProgress['what'] | undefined) => {
    let told = 0
    return (done: number, total: number, pass?: 'write' | 'read'): void => {
      const now = performance.now()
      if (now - told < 50 && done < total) return
      told = now
      emit('archive.progress', { ref, done, total, what: what ?? pass ?? 'write' })
    }
  }
  const changed = (desk: Desk): ArchiveState => {
    desks.keep(desk)
    return desk.state()
  }

  /** Members as the file has them. @throws FormatError not-found where it has none of them */
  const inFile = (ref: string, ids?: readonly number[]): { desk: ArchiveDesk; from: string; names: string[] } => {
    const desk = expectFile(deskOf(ref))
    const names = desk.namesInFile(ids ?? [])
    if (ids && names.length === 0) throw new FormatError('not-found', say('archiveEdits.notSaved'), { file: desk.ref })
    return { desk, from: desk.from, names }
  }
  /** The file that a save writes where nobody names another; '' where it has none. */
  const placeOf = (desk: Desk): string =>
    desk instanceof ArchiveDesk && !desk.state().copyOnly ? archiveTarget(store, desk.ref, finder.place(desk.ref)).disk : ''
  /** Where a copy alone can be written, or the archive is new, it is told before its place is known. */
  const planOf = async (desk: Desk, out: string, target: string): Promise<ArchiveBytes> => {
    if (!(desk instanceof ArchiveDesk)) return desk.plan(out).plan
    const planned = desk.plan(true)
    return target ? writtenPlan(planned, target, out !== '') : planned.plan
  }
  const changeOf = (desk: ArchiveDesk, out: string, replaceReadOnly?: boolean): Write => {
    const target = archiveTarget(store, desk.ref, finder.place(desk.ref))
    const planned: PlannedChange = desk.plan(out !== '' || intoOwnCopy(store, workspace.originals, target))
    return (watch) =>
      out
        ? writeArchiveCopy(store, planned, out, false, watch, workspace.originals)
        : writeArchiveChange(store, workspace.originals, planned, target, { replaceReadOnly }, watch)
  }
  const newOf = (desk: NewArchiveDesk, out: string): Write => {
    if (out === '') throw new FormatError('invalid-argument', say('calls.wholeFolderPath'), { file: out })
    const planned = desk.plan(out)
    desk.expectBodies()
    return (watch) => planned.write(watch)
  }

  return {
    'archive.open': async ({ ref }, { signal }) => (await opened(refOf(ref), signal)).state(),
    'archive.members': ({ ref, text, offset, limit }, { signal }) => inSteps(deskOf(ref).rows(text, offset, limit), signal),
    'archive.hold': ({ ref, bytes }) => ({ body: desks.hold(deskOf(ref).ref, bytes) }),
    'archive.take': async ({ ref, from }, { signal }) => {
      const desk = still(deskOf(ref))
      const most = INBOX_LIMITS.files
      const given = from.map((one) => libraries.checkRef(one).ref)
      const found = filesOf(store, given, most)
      if (found.length > most) throw new FormatError('refused', say('archiveEdits.tooManyFiles', { most }), { file: from[0] })
      const files: { name: string; body: string }[] = []
      for (const { name, ref: one } of found) {
        files.push({ name, body: desks.hold(desk.ref, store.read(one)) })
        await breathe(undefined, { signal })
      }
      return { files }
    },
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
    'archive.structure': ({ ref, id }) => expectFile(deskOf(ref)).node(id),
    'archive.field': ({ ref, id, path }) => expectFile(deskOf(ref)).field(id, path),
    'archive.discard': async ({ ref }, { signal }) => {
      const desk = still(deskOf(ref))
      desks.forget(desk.ref)
      return (await opened(desk.ref, signal)).state()
    },
    'archive.plan': async ({ ref, folder, name }) => {
      const desk = still(deskOf(ref))
      const out = outOf(folder, name)
      const target = out || placeOf(desk)
      const { copied, bodies, tables, members, size, moved, written, room, inPlace, each, notes } = await planOf(desk, out, target)
      const begun = out && desk instanceof ArchiveDesk ? await begunAt(out) : 0
      return {
        target,
        members,
        size,
        copied,
        bodies,
        tables,
        moved,
        written,
        room,
        inPlace,
        ...(each ? { each } : {}),
        notes,
        free: target ? await freeAt(target) : -1,
        begun,
      }
    },
    'archive.save': async ({ ref, folder, name, replaceReadOnly }, { signal }) => {
      const desk = still(deskOf(ref))
      const out = outOf(folder, name)
      const watch: ArchiveWatch = { signal, onProgress: tell(desk, undefined) }
      const write = desk instanceof ArchiveDesk ? changeOf(desk, out, replaceReadOnly) : newOf(desk, out)
      writing.add(desk.ref)
      try {
        const written = await write(watch)
        // what was planned stands in the copy, and the archive is as it was
        desks.forget(desk.ref)
        return { written, state: (await opened(desk.ref)).state() }
      } finally {
        writing.delete(desk.ref)
      }
    },
    'archive.download': ({ ref, ids }, { signal }) => {
      const { from, names } = inFile(ref, ids)
      return taken.download(from, names, signal)
    },
    'archive.drag': async ({ ref, ids }, { signal }) => {
      // a browser takes no files of the disk
      if (host !== 'electron') throw new FormatError('unsupported', say('archiveEdits.noDrag'), { file: ref })
      const { from, names } = inFile(ref, ids)
      return { files: await taken.files(from, names, signal) }
    },
    'archive.extract': async ({ ref, folder, ids, text, force }, { signal }) => {
      if (!isAbsolute(folder)) throw new FormatError('invalid-argument', say('calls.wholeFolderPath'), { file: folder })
      const { desk, from, names } = inFile(ref, ids)
      const onProgress = tell(desk, 'extract')
      const report = await extractArchive(store, from, names, {
        out: folder,
        filter: text,
        force: force === true,
        signal,
        onProgress: (_, done, all) => onProgress(done, all),
      })
      const renamed = report.files.filter((file) => file.renamed)
      return {
        folder: report.folder,
        files: report.files.length,
        bytes: report.files.reduce((sum, { bytes }) => sum + bytes, 0),
        renamed: renamed.slice(0, MOST_TOLD).map(({ name, file }) => ({ name, file })),
        renamedCount: renamed.length,
        failures: report.failures
          .slice(0, MOST_TOLD)
          .map(({ path, message }) => ({ name: path.slice(path.lastIndexOf('!') + 1), message })),
        failureCount: report.failures.length,
      }
    },
  }
}

/** @throws FormatError not-found for a new archive: nothing of it is in a file */
function expectFile(desk: Desk): ArchiveDesk {
  if (desk instanceof ArchiveDesk) return desk
  throw new FormatError('not-found', say('archiveEdits.notSaved'), { file: desk.ref })
}
