type Env = Record<string, string | undefined>

export function chromiumLaunchOptions(machine?: {
  platform?: string
  arch?: string
  env?: Env
  exists?: (path: string) => boolean
}): Promise<{ executablePath: string; args: string[]; env: Record<string, string> }>
export function packedEnvironment(folder: string, env: Env): { FONTCONFIG_FILE: string; XDG_CACHE_HOME: string; LD_LIBRARY_PATH: string }
export function unpackChromium(options?: { into?: string; run?: (temporary: string) => Promise<void> }): Promise<string>
