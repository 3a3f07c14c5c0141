type Env = Record<string, string | undefined>

export const NO_BROWSER: string
export function browserPlaces(platform: string, env: Env): string[]
export function installedBrowser(machine: { platform: string; env: Env; exists: (path: string) => boolean }): string | null
