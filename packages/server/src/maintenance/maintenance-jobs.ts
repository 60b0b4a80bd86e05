import type { Ctx } from '../context.ts'
import { type HealthEvent, watchEndpointHealth } from '../health/watch-endpoint-health.ts'
import { checkDueDomains } from '../domains/check-due-domains.ts'
import { advanceErasures } from '../erasures/advance-erasures.ts'
import { advanceReplays } from '../replays/advance-replays.ts'
import { closeReplays } from '../replays/close-replays.ts'
import { dropOldPartitions } from './drop-old-partitions.ts'
import { ensurePartitions } from './ensure-partitions.ts'
import { expireStatistics } from '../stats/expire-statistics.ts'
import { forgetDomains } from '../stats/forget-domains.ts'
import { mergeStatistics } from '../stats/merge-statistics.ts'
import { suspendSenders } from '../stats/suspend-senders.ts'
import { recountLost } from '../stats/recount-lost.ts'
import type { ExpiredDeliveries } from './expire-queued.ts'
import { gated, type GatedJob, type Job } from './job-scheduler.ts'
import type { MaintenanceGate } from './maintenance-gate.ts'
import { purgeDeletedAccounts } from './purge-deleted-accounts.ts'
import { purgeIdempotencyKeys } from './purge-idempotency-keys.ts'
import { purgeMovedAccounts } from './purge-moved-accounts.ts'
import { purgeSessions } from './purge-sessions.ts'
import { settleDeletedEndpoints } from './settle-deleted-endpoints.ts'
import { checkpointEmbedded } from './checkpoint-embedded.ts'
import { vacuumEmbedded } from './vacuum-embedded.ts'

const minuteMs = 60_000

export interface MaintenanceOptions {
  embedded: boolean
  /** Called when an endpoint is warned of, disabled, or recovers. */
  onHealth: (event: HealthEvent) => void
  /** Called when deliveries of an endpoint are given up because retention drops their day. */
  onExpired: (expired: ExpiredDeliveries) => void
  /** Called when an account is suspended for its bounces or complaints. */
  onSuspended: (accountId: string) => void
}

/** The jobs of every process that sends. They skip what another process is working on. */
export function maintenanceJobs(
  ctx: Ctx,
  gate: Pick<MaintenanceGate, 'pass'>,
  options: MaintenanceOptions,
): Job[] {
  const jobs: Job[] = [
    { name: 'partitions', everyMs: 60 * minuteMs, run: () => ensurePartitions(ctx.db, ctx.clock.nowMs()) },
    { name: 'deleted endpoints', everyMs: 2_000, run: () => settleDeletedEndpoints(ctx) },
    {
      name: 'endpoint health',
      everyMs: 2_000,
      // without a time from the gate it sends warnings but disables nothing
      run: async () => watchEndpointHealth(ctx, await gate.pass(), options.onHealth),
    },
    { name: 'erasures', everyMs: 1_000, run: () => advanceErasures(ctx) },
    { name: 'replays', everyMs: 1_000, run: () => advanceReplays(ctx) },
    { name: 'ended replays', everyMs: minuteMs, run: () => closeReplays(ctx.db) },
    ...gatedJobs(ctx, options).map(job => gated(gate, job)),
  ]
  if (options.embedded) {
    jobs.push({ name: 'vacuum', everyMs: 10_000, run: () => vacuumEmbedded(ctx.db) })
    jobs.push({ name: 'checkpoint', everyMs: 10_000, run: () => checkpointEmbedded(ctx.db) })
  }
  return jobs
}

/** All jobs that delete or give up because of age, as listed in docs/maintaining/maintenance-gate.md. */
function gatedJobs(ctx: Ctx, options: MaintenanceOptions): GatedJob[] {
  const { db } = ctx
  return [
    {
      name: 'retention',
      everyMs: 10 * minuteMs,
      firstAfterMs: 5_000,
      run: nowMs => dropOldPartitions(ctx, nowMs, options),
    },
    { name: 'lost statistics', everyMs: minuteMs, run: nowMs => recountLost(db, { nowMs }) },
    { name: 'old statistics', everyMs: 10 * minuteMs, run: nowMs => mergeStatistics(db, nowMs) },
    { name: 'expired statistics', everyMs: 10 * minuteMs, run: nowMs => expireStatistics(ctx, nowMs) },
    { name: 'old domains', everyMs: 10 * minuteMs, run: nowMs => forgetDomains(ctx, nowMs) },
    { name: 'deleted accounts', everyMs: 10 * minuteMs, run: nowMs => purgeDeletedAccounts(db, nowMs) },
    { name: 'moved accounts', everyMs: 10 * minuteMs, run: nowMs => purgeMovedAccounts(db, nowMs) },
    { name: 'idempotency keys', everyMs: 10 * minuteMs, run: nowMs => purgeIdempotencyKeys(db, nowMs) },
    { name: 'sending domains', everyMs: minuteMs, run: nowMs => checkDueDomains(ctx, nowMs) },
    {
      name: 'suspensions',
      everyMs: minuteMs,
      run: async nowMs => {
        const { suspended } = await suspendSenders(ctx, nowMs)
        for (const accountId of suspended) options.onSuspended(accountId)
        return suspended
      },
    },
    { name: 'sessions', everyMs: 10 * minuteMs, run: nowMs => purgeSessions(db, nowMs) },
  ]
}
