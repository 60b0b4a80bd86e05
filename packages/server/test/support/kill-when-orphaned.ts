import { type ChildProcess, spawn } from 'node:child_process'

/**
 * Whoever started a service may die without ending it, and what it leaves would run on beside everything that is measured
 * later: a shell waits for its end of the pipe to close.
 * @param target the child's process, or the group that it leads
 */
export function killWhenOrphaned(child: ChildProcess, target: 'process' | 'group'): void {
  const { pid } = child
  if (pid === undefined) return
  const watchdog = spawn('sh', ['-c', `read -r _; kill -s KILL -- ${target === 'group' ? -pid : pid}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  watchdog.unref()
  child.once('exit', () => watchdog.kill('SIGKILL'))
}
