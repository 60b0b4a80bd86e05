import type { Log } from '../log.ts'
import { ProcessGroup } from './process-group.ts'

export interface Together {
  /** How many processes. */
  count: number
  log: Log
  /** Resolves with why all of them are to stop. */
  asked: Promise<string>
}

/**
 * Runs this command in several processes that listen on the same ports, connections in turn, and share one database. The
 * first is ready before the others begin: it migrates the schema, and says what is wrong with the settings. Whichever
 * ends by itself is replaced.
 * @returns the exit code when all have ended: 1 where the first could not start, else 0 if all of them drained
 */
export async function runTogether({ count, log, asked }: Together): Promise<0 | 1> {
  const group = new ProcessGroup(log)
  const stop = asked.then(reason => ({ reason }))
  const first = group.begin()
  const started = await Promise.race([first, stop])
  if ('exitCode' in started) return started.exitCode === 0 ? 0 : 1
  if (!('reason' in started)) {
    group.replaceWhoEnds()
    const others = Promise.all(Array.from({ length: count - 1 }, async () => await group.begin()))
    if (Array.isArray(await Promise.race([others, stop])))
      log.info({ processes: count }, `${count} processes share the work`)
  }
  const { reason } = await stop
  log.info({ reason }, 'draining: every process finishes what is under way')
  return (await group.end()) === 0 ? 0 : 1
}
