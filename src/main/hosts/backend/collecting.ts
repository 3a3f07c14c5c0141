/** When the services collect what they hold no more. */
import { setFlagsFromString } from 'node:v8'

/**
 * Bytes of files and keys stand outside of the heap of JavaScript. V8 weighs them against that heap alone, which is small, and goes through the whole of
 * it for each few megabytes of them that are made: an edit of a quarter of a million keys makes nine, so that each was held up by a collection. With this
 * flag it weighs them against what the process may have of memory, which is a third as many collections. A V8 that has no such flag says so on stderr and
 * goes on as before. The flag counts for the whole process, a host with the services in a thread included.
 */
export function collectByAllThatIsHeld(): void {
  setFlagsFromString('--external-memory-accounted-in-global-limit')
}
