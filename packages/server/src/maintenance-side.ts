import type { Ctx } from './context.ts'
import { Loop } from './dispatch/loop.ts'
import { typeId } from './domain/type-id.ts'
import type { Log } from './log.ts'
import { fileSearchKeys } from './maintenance/file-search-keys.ts'
import { JobClock } from './maintenance/job-clock.ts'
import type { MaintenanceGate } from './maintenance/maintenance-gate.ts'
import { type MaintenanceOptions, maintenanceJobs } from './maintenance/maintenance-jobs.ts'

export interface MaintenanceSideOptions {
  ctx: Ctx
  log: Log
  gate: MaintenanceGate
  embedded: boolean
  /** Whether this process sends: one that only accepts leaves all but the filing of its own events to those. */
  sends: boolean
}

/** Starts what this process has to do now and then; disposing waits for what is under way. */
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
  const filing = fileAgainAndAgain(ctx, error => onError('search keys', error))
  opened.defer(async () => await filing.stop())
  filing.start()
  if (sends) {
    const jobs = maintenanceJobs(ctx, gate, { embedded, ...whatIsLogged(log) })
    opened.use(new JobClock(ctx.clock, jobs, onError)).start()
  }
  return opened
}

/** Often, so that each time is short; seldom while nothing comes. */
const fileEveryMs = 250
const fileEveryMsIdle = 1_000

/** On a clock of its own: while a long job runs, events are stored. */
function fileAgainAndAgain(ctx: Ctx, onError: (error: unknown) => void): Loop {
  const file = async (): Promise<{ nextInMs: number }> => {
    const { pages } = await fileSearchKeys(ctx.db)
    return { nextInMs: pages > 0 ? fileEveryMs : fileEveryMsIdle }
  }
  return new Loop(file, { pollEveryMs: fileEveryMsIdle, onError })
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
