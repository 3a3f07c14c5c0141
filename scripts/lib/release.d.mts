export function nextVersion(root?: string): string
export function notes(version: string, root?: string): string
export function changelog(version: string, root?: string): string
export function release(version: string, root?: string): void
