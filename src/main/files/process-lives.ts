/** Whether a process of this machine is there: files of a run that is gone are cleared away or taken up, those of one that lives are left alone. */
export function processLives(pid: number): boolean {
  // 0 and below are groups of processes, and Node refuses what no system counts to
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // a process of another user is there, too
    return (error as { code?: string }).code === 'EPERM'
  }
}
