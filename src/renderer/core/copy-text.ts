/** Puts a text on the clipboard and says so; where the browser does not let it, says that. */
import { useSession } from './session.ts'
import { say } from '../../shared/texts/say.ts'

export function useCopyText(): (text: string, done: string) => Promise<void> {
  const session = useSession()
  return async (text, done) => {
    try {
      await navigator.clipboard.writeText(text)
      session.notify('good', done)
    } catch {
      session.notify('warning', say('notices.notCopied'), text)
    }
  }
}
