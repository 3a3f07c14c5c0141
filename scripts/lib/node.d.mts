export function nodePackage(platform?: string, arch?: string): string
export function pinnedNode(folder?: string): string
export function whyNotThisNode(machine?: {
  version: string
  features: { typescript?: unknown }
  platform: string
  arch: string
  installed: boolean
}): string | null
