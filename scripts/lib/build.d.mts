export const projectRoot: string
export function isBuilt(what: 'renderer' | 'all', root?: string): boolean
export function buildRenderer(options?: { mode?: string; outDir?: string }): Promise<void>
export function buildAll(options?: { quiet?: boolean }): void
