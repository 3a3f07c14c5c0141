/** The window's files under marrow://app/ with the web host's headers; a page of file:// could read the user's disk. */
import { protocol } from 'electron'
import { APP_ORIGIN, APP_SCHEME } from '../../../shared/api/launch.ts'
import { cacheHeader, findStaticFile, securityHeaders } from '../static-files.ts'

/** Before the application is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ])
}

export function serveAppScheme(rendererFolder: string): void {
  const headers = securityHeaders("'self'")
  protocol.handle(APP_SCHEME, async (request) => {
    const refuse = (status: number) => new Response(null, { status, headers })
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405)
    if (!request.url.startsWith(`${APP_ORIGIN}/`)) return refuse(404)
    const file = await findStaticFile(rendererFolder, request.url.slice(APP_ORIGIN.length).split(/[?#]/, 1)[0])
    if (!file) return refuse(404)
    return new Response(request.method === 'HEAD' ? null : file.bytes, {
      headers: { ...headers, 'Content-Type': file.type, 'Cache-Control': cacheHeader(file) },
    })
  })
}
