export function electronBinary(folder?: string, env?: Record<string, string | undefined>): string | null
export function installElectron(options?: {
  folder?: string
  stall?: number
  env?: Record<string, string | undefined>
}): Promise<string | null>
export function whyNoScreen(env?: Record<string, string | undefined>, platform?: string): string | null
export function stallWatch(stall: number, now?: () => number): (size: number) => boolean
