/** The built window as files: found by URL path, never outside their folder, with their types and security headers. */
import { readFile, realpath } from 'node:fs/promises'
import { extname, isAbsolute, join, relative, sep } from 'node:path'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.map': 'application/json; charset=utf-8',
}

export interface StaticFile {
  bytes: Uint8Array<ArrayBuffer>
  type: string
  /** named after its content: may be kept for ever */
  immutable: boolean
}

/**
 * The file for the path of a URL (still encoded, without query), or null. Links inside the folder may not lead out of it, hidden files and unknown
 * types are not served.
 */
export async function findStaticFile(folder: string, urlPath: string): Promise<StaticFile | null> {
  let path: string
  try {
    path = decodeURIComponent(urlPath)
  } catch {
    return null
  }
  // '\' and ':' are separators and drives on Windows, and no file of ours has them
  if (!path.startsWith('/') || /[\0\\:]/.test(path)) return null
  const parts = path.slice(1).split('/')
  if (parts.some((part, i) => part.startsWith('.') || (part === '' && i < parts.length - 1))) return null
  if (parts.at(-1) === '') parts[parts.length - 1] = 'index.html'
  const type = types[extname(parts.at(-1)!).toLowerCase()]
  if (!type) return null
  try {
    const root = await realpath(folder)
    const target = await realpath(join(root, ...parts))
    const inside = relative(root, target)
    if (inside === '' || isAbsolute(inside) || inside === '..' || inside.startsWith(`..${sep}`)) return null
    return { bytes: new Uint8Array(await readFile(target)), type, immutable: parts[0] === 'assets' }
  } catch {
    return null
  }
}

/**
 * Headers of every answer. No inline script, no eval. Styles come from files; the `style` attribute stays allowed
 * because Vue writes large static parts of a template as HTML.
 */
export function securityHeaders(connect: string): Record<string, string> {
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "style-src-attr 'unsafe-inline'",
      // eslint-disable-next-line texts/in-catalogue -- a policy
      "img-src 'self' data: blob:",
      "font-src 'self'",
      `connect-src ${connect}`,
      "worker-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
  }
}

export function cacheHeader(file: StaticFile): string {
  // eslint-disable-next-line texts/in-catalogue -- a header
  return file.immutable ? 'public, max-age=31536000, immutable' : 'no-store'
}
