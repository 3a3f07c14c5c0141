/** The host: its settings, dialogs and menus, what comes from outside, and what is told of faults and updates. */
import * as v from 'valibot'
import { bytes, call, index, nothing, text } from '../arguments.ts'
import { settingsChangeSchema } from '../settings.ts'
import type { Settings } from '../settings.ts'
import { menuKeysSchema } from '../menu.ts'
import { INBOX_LIMITS, MOST_PATHS } from '../desktop.ts'
import type { DiagnosticsPreview, OpenTarget } from '../desktop.ts'
import { say } from '../../texts/say.ts'
import type { AppInfo, FolderListing } from '../types/app.ts'

export const hostCalls = {
  'app.info': call(nothing)<AppInfo>(),
  'settings.get': call(nothing)<Settings>(),
  'settings.set': call(settingsChangeSchema)<Settings>(),

  /** the keys that the user has for commands of the host's menu, which shows them */
  'menu.keys': call(v.object({ keys: menuKeysSchema }))<null>(),

  /** Electron: the system's dialog. Web host: null; the window then asks with folders.list. */
  'folders.pick': call(nothing)<string | null>(),
  /** without a path the user's home; with '' the places that there are, as whole paths */
  'folders.list': call(v.object({ path: v.optional(text) }))<FolderListing>(),

  /** paths that came from outside since the last call: arguments, a second start, a drop, the system's menus */
  'open.pending': call(nothing)<{ paths: string[] }>(),
  /** what paths mean, and which folder each is looked at in */
  'open.look': call(v.object({ paths: v.pipe(v.array(text), v.maxLength(MOST_PATHS)) }))<OpenTarget[]>(),
  /** the folder that a file is looked at in which stands in no library that is open; '' where it stands in one */
  'open.around': call(v.object({ ref: text }))<{ root: string }>(),
  /** files of libraries that are open with this name, size and hash (SHA-256, hex); null where there is none. For windows that know no paths */
  'open.match': call(
    v.object({
      files: v.pipe(
        v.array(v.object({ name: text, size: index, sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)) })),
        v.maxLength(INBOX_LIMITS.files),
      ),
    }),
  )<(OpenTarget | null)[]>(),
  /** a folder for copies of dropped files; they are opened read-only. `kept`: they become part of a model, and stay as long as they are */
  'inbox.begin': call(v.object({ name: text, kept: v.optional(v.boolean()) }))<{ id: string }>(),
  'inbox.add': call(
    v.object({
      id: text,
      /** below the folder, with `/` */
      path: text,
      bytes: v.pipe(
        bytes,
        v.check(
          ({ length }) => length <= INBOX_LIMITS.file,
          () => say('given.fileTooLarge'),
        ),
      ),
    }),
  )<null>(),
  'inbox.open': call(v.object({ id: text }))<OpenTarget[]>(),

  /** what a diagnostics file would hold */
  'diagnostics.look': call(nothing)<DiagnosticsPreview>(),
  /** a zip to attach to a report; `headers`: of failing files that `look` named; `window`: what only the window knows */
  'diagnostics.make': call(
    v.object({
      headers: v.pipe(v.array(text), v.maxLength(20)),
      window: v.record(v.pipe(text, v.maxLength(100)), text),
    }),
  )<{ fileName: string; bytes: Uint8Array }>(),
  /** an error of the window, for the log */
  'diagnostics.note': call(v.object({ message: text, detail: text }))<null>(),

  /** what the user said to an update. Only the packaged desktop application has any */
  'update.act': call(v.object({ action: v.picklist(['load', 'install', 'later']) }))<null>(),
} as const
