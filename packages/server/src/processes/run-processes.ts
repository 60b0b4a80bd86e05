import type { Log } from '../log.ts'
import { ProcessGroup } from './process-group.ts'

export interface RunProcessesOptions {
  count: number
  log: Log
  /** Resolves with the reason why all processes must stop. */
  stopRequested: Promise<string>
}

/**
 * Runs this command in several processes that listen on the same ports and share one database. The first process becomes ready
 * before the others start, because it migrates the schema and reports wrong settings. A process that exits is replaced.
 * @returns the exit code: 1 if the first process could not start, else 0 if all of them drained
 */
export async function runProcesses({ count, log, stopRequested }: RunProcessesOptions): Promise<0 | 1> {
  const group = new ProcessGroup(log)
  const stop = stopRequested.then(reason => ({ reason }))
  const started = await Promise.race([group.start(), stop])
  if ('exitCode' in started) return started.exitCode === 0 ? 0 : 1
  if (!('reason' in started)) {
    group.replaceExited()
    const others = Promise.all(Array.from({ length: count - 1 }, async () => await group.start()))
    if (Array.isArray(await Promise.race([others, stop])))
      log.info({ processes: count }, `${count} processes share the work`)
  }
  const { reason } = await stop
  log.info({ reason }, 'draining: every process finishes what is in flight')
  return (await group.stop()) === 0 ? 0 : 1
}
