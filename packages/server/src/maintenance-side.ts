import type { Ctx } from './context.ts'
import { Loop } from './dispatch/loop.ts'
import type { BulkPace } from './domain/bulk-pace.ts'
import { nextFilingInMs } from './domain/filing-pace.ts'
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
  /** Knows whether somebody would notice that much is filed at once. */
  pace: Pick<BulkPace, 'isBesideFew'>
}

/** Starts what this process has to do now and then; disposing waits for what is under way. */
export function startMaintenance({
  ctx,
  log,
  gate,
  embedded,
  sends,
  pace,
}: MaintenanceSideOptions): AsyncDisposable {
  const opened = new AsyncDisposableStack()
  const onError = (job: string, error: unknown): void =>
    log.error({ err: error }, `maintenance: ${job} failed`)
  const filing = fileAgainAndAgain(ctx, pace, error => onError('search keys', error))
  opened.defer(async () => await filing.stop())
  filing.start()
  if (sends) {
    const jobs = maintenanceJobs(ctx, gate, { embedded, ...whatIsLogged(log) })
    opened.use(new JobClock(ctx.clock, jobs, onError)).start()
  }
  return opened
}

/** On a clock of its own: while a long job runs, events are stored, and the more there are, the more often. */
function fileAgainAndAgain(
  ctx: Ctx,
  pace: MaintenanceSideOptions['pace'],
  onError: (error: unknown) => void,
): Loop {
  let filedAtMs = ctx.clock.monotonicMs()
  const file = async (): Promise<{ nextInMs: number }> => {
    const gatheredMs = ctx.clock.monotonicMs() - filedAtMs
    filedAtMs += gatheredMs
    const { pages } = await fileSearchKeys(ctx.db)
    return { nextInMs: nextFilingInMs(pages, gatheredMs, pace.isBesideFew(ctx.clock.monotonicMs())) }
  }
  return new Loop(file, { pollEveryMs: 1_000, onError })
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
