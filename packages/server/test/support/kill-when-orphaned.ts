import { type ChildProcess, spawn } from 'node:child_process'

/**
 * Kills a child process if this process dies, because a leftover service would disturb later measurements. A shell waits until
 * its end of the pipe closes.
 * @param target the child itself, or the process group that it leads
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
