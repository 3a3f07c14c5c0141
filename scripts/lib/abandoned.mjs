// Folders that are made beside their final place are named after it and the process that makes them: NAME.PID, NAME.PID.old.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Takes away what processes left that are gone: they were killed half-way. */
export function removeAbandoned(folder, name) {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder)) {
    const pid = entry.startsWith(`${name}.`) ? /^(\d+)(\.old)?$/.exec(entry.slice(name.length + 1))?.[1] : undefined
    if (pid && !isAlive(Number(pid))) rmSync(join(folder, entry), { recursive: true, force: true })
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // it is there, and another user's
    return error.code === 'EPERM'
  }
}
