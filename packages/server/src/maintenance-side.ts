import type { Ctx } from './context.ts'
import { typeId } from './domain/type-id.ts'
import type { Log } from './log.ts'
import { fileSearchKeys } from './maintenance/file-search-keys.ts'
import { JobClock } from './maintenance/job-clock.ts'
import { type MaintenanceOptions, maintenanceJobs } from './maintenance/maintenance-jobs.ts'

export interface MaintenanceSideOptions {
  ctx: Ctx
  log: Log
  embedded: boolean
  /** Whether this process sends: one that only accepts leaves all but the filing of its own events to those. */
  sends: boolean
}

/** Starts what this process has to do now and then; disposing waits for what is under way. */
export function startMaintenance({ ctx, log, embedded, sends }: MaintenanceSideOptions): AsyncDisposable {
  const opened = new AsyncDisposableStack()
  const onError = (job: string, error: unknown): void =>
    log.error({ err: error }, `maintenance: ${job} failed`)
  // on a clock of its own: while a long job runs, events are stored
  const filing = { name: 'search keys', everyMs: 500, run: async () => await fileSearchKeys(ctx.db) }
  opened.use(new JobClock(ctx.clock, [filing], onError)).start()
  if (sends) {
    const jobs = maintenanceJobs(ctx, { embedded, ...whatIsLogged(log) })
    opened.use(new JobClock(ctx.clock, jobs, onError)).start()
  }
  return opened
}

function whatIsLogged(log: Log): Omit<MaintenanceOptions, 'embedded'> {
  return {
    onHealth: ({ step, accountId, endpointId, ...facts }) =>
      log.warn(
        {
          health: step,
          account_id: typeId('acct', accountId),
          webhook_id: typeId('wh', endpointId),
          failures_in_row: facts.failuresInRow,
          failing_since: facts.failingSince,
        },
        'endpoint health',
      ),
    onExpired: ({ accountId, endpointId, count }) =>
      log.warn(
        {
          account_id: typeId('acct', accountId),
          webhook_id: typeId('wh', endpointId),
          deliveries: count,
        },
        'deliveries were given up: they still waited when their day was dropped',
      ),
  }
}
