/** Events of ANI behind the interface that all families share. */
import { notHere } from '../../address.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { aniOf } from './ani-file.ts'
import { encodeText } from '../codecs/strings.ts'
import { say } from '../texts/index.ts'
import type { AniDocument } from '../codecs/ani.ts'
import type { EditSession, EventEditor } from '../../editing.ts'

export const events: EventEditor = {
  add(session, clip, event) {
    const document = session.edit<AniDocument>(aniOf(session, clip).ref)
    document.events.push({
      type: encodeText(event.type),
      info: encodeText(event.info),
      time: new Float32Array([eventTime(event.time)]),
      range: { start: 0, end: 0 },
    })
  },
  set(session, clip, index, values) {
    const event = eventOf(session, clip, index)
    if (values.type !== undefined && values.type !== event.type.text) event.type = encodeText(values.type)
    if (values.info !== undefined && values.info !== event.info.text) event.info = encodeText(values.info)
    if (values.time !== undefined && !Object.is(Math.fround(values.time), event.time[0])) event.time[0] = eventTime(values.time)
  },
  remove(session, clip, index) {
    eventOf(session, clip, index)
    session.edit<AniDocument>(aniOf(session, clip).ref).events.splice(index, 1)
  },
}

function eventOf(session: EditSession, clip: number, index: number): AniDocument['events'][number] {
  const event = session.edit<AniDocument>(aniOf(session, clip).ref).events[index]
  if (!event) notHere('event', index)
  return event
}

function eventTime(time: number): number {
  if (!Number.isFinite(time) || time < 0) throw new FormatError('invalid-edit', say('edit.events.timeFromZero'))
  return time
}
