export function notesOf(version: string, changelog: string): string
export function checksums(folder: string): string
export function releaseFiles(tag: string, packages: string, root?: string): void
