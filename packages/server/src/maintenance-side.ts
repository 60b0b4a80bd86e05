import type { Ctx } from './context.ts'
import { Loop } from './dispatch/loop.ts'
import { typeId } from './domain/type-id.ts'
import type { Log } from './log.ts'
import { cleanSearchIndex } from './maintenance/clean-search-index.ts'
import { JobScheduler } from './maintenance/job-scheduler.ts'
import type { MaintenanceGate } from './maintenance/maintenance-gate.ts'
import { type MaintenanceOptions, maintenanceJobs } from './maintenance/maintenance-jobs.ts'

export interface MaintenanceSideOptions {
  ctx: Ctx
  log: Log
  gate: MaintenanceGate
  embedded: boolean
  /** Whether this process sends. A process that only accepts does nothing but add search keys. */
  sends: boolean
}

/** Starts the maintenance jobs of this process; disposing waits for running jobs. */
export function startMaintenance({
  ctx,
  log,
  gate,
  embedded,
  sends,
}: MaintenanceSideOptions): AsyncDisposable {
  const opened = new AsyncDisposableStack()
  const onError = (job: string, error: unknown): void =>
    log.error({ err: error }, `maintenance: ${job} failed`)
  const cleaning = cleanSearchIndexOften(ctx, error => onError('search keys', error))
  opened.defer(async () => await cleaning.stop())
  cleaning.start()
  if (sends) {
    const jobs = maintenanceJobs(ctx, gate, { embedded, ...logging(log) })
    opened.use(new JobScheduler(ctx.clock, jobs, onError)).start()
  }
  return opened
}

/** Frequent runs are short. */
const cleanEveryMs = 250
const cleanEveryMsIdle = 1_000

/** Runs apart from the jobs, because events also arrive during a long job. */
function cleanSearchIndexOften(ctx: Ctx, onError: (error: unknown) => void): Loop {
  const clean = async (): Promise<{ nextInMs: number }> => {
    const { pages } = await cleanSearchIndex(ctx.db)
    return { nextInMs: pages > 0 ? cleanEveryMs : cleanEveryMsIdle }
  }
  return new Loop(clean, { pollEveryMs: cleanEveryMsIdle, onError })
}

function logging(log: Log): Omit<MaintenanceOptions, 'embedded'> {
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
    onSuspended: accountId =>
      log.warn(
        { account_id: typeId('acct', accountId) },
        'suspended an account for its bounces or complaints',
      ),
    onExpired: ({ accountId, endpointId, count }) =>
      log.warn(
        {
          account_id: typeId('acct', accountId),
          webhook_id: typeId('wh', endpointId),
          deliveries: count,
        },
        'gave up deliveries that still waited at the end of the retention period',
      ),
  }
}
