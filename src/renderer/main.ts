import './ui/fonts.css'
import './ui/tokens.css'
import './ui/base.css'
import './ui/buttons.css'
import './ui/fields.css'
import './ui/shapes.css'
import './ui/forced-colors.css'
import { createPinia } from 'pinia'
import { createApp, h } from 'vue'
import { printableValue } from '../shared/printable.ts'
import { english } from '../shared/texts/en/index.ts'
import { learn, localeOf, setLocale } from '../shared/texts/say.ts'
import App from './shell/App.vue'
import CrashPage from './shell/CrashPage.vue'
import { lookAsSystem } from './shell/system-theme.ts'
import { connect } from './core/api/connect.ts'
import type { Connection } from './core/api/connect.ts'
import { offerProbe } from './core/probe.ts'
import { noteErrors } from './features/help/note-errors.ts'

/** `?fake` answers the contract from memory; it is no part of the product's build. */
async function open(): Promise<Connection> {
  if (import.meta.env.MODE !== 'production' && new URLSearchParams(location.search).has('fake'))
    return (await import('./dev/fake-api.ts')).createFakeApi()
  return connect()
}

// the host puts the language into the window's address
const locale = localeOf(new URLSearchParams(location.search).get('locale'))
setLocale(locale)
learn(english)
document.documentElement.lang = locale
const ownLook = lookAsSystem()

const app = createApp({ render: () => h(CrashPage, null, () => h(App, { connect: open, ownLook })) }).use(createPinia())
// every text of every template goes through it (scripts/lib/printable-templates.mjs)
app.config.globalProperties.$printable = printableValue
noteErrors(app)
offerProbe()
app.mount('#app')
// letters of Japan and Korea stand in hundreds of files, each read when a name has one of its letters; the list of these is long, and the page is there before it
void import('./ui/name-fonts.css').catch(() => undefined)
