import type { ChildProcess } from 'node:child_process'

export type Windows = { native: true; node: string } | { native: false; node: string; wine: string; prefix: string }
export interface WindowsRun {
  /** file for stdout; stderr goes to the same name with `.err` */
  out: string
  env?: Record<string, string | undefined>
}
export const windowsCache: string
export function findWindows(env?: NodeJS.ProcessEnv): Windows | { missing: string }
export function prepareWindows(windows: Windows): Promise<void>
export function windowsPath(windows: Windows, path: string): string
export function startWindows(
  windows: Windows,
  args: readonly string[],
  options: WindowsRun,
): Promise<{ child: ChildProcess; ended: Promise<number> }>
export function runWindows(
  windows: Windows,
  args: readonly string[],
  options: WindowsRun,
): Promise<{ status: number; out: string; err: string }>
