export const projectRoot: string
export function isBuilt(what: 'renderer' | 'cli' | 'all', root?: string): boolean
export function buildRenderer(options?: { mode?: string; outDir?: string }): Promise<void>
export function buildAll(options?: { quiet?: boolean }): Promise<void>
export function replaced(targets: string[], place: string, make: (fresh: string) => unknown): Promise<void>
