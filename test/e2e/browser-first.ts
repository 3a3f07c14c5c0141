/** Before each test file, and before the look at what it leaves. */
import { sharedBrowser } from './browser.ts'

await sharedBrowser()
