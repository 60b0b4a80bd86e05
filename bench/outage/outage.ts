import { writeFileSync } from 'node:fs'
import type { Bench, BenchRow, Scale } from '../support/bench.ts'
import { latenciesDueIn } from '../support/latency-window.ts'
import { percentile } from '../support/percentile.ts'
import { startBenchPostgres } from '../support/place.ts'
import { outagePlot } from './outage-plot.ts'
import { backAfterSeconds } from './retry-schedule.ts'
import { type Measured, type Plan, runOutage } from './run-outage.ts'

const plans: Record<Scale, Plan> = {
  quick: {
    retry: { baseSeconds: 0.2, capSeconds: 1 },
    attemptTimeoutSeconds: 1,
    capacityOutcomes: 1_000,
    warmUpSeconds: 1,
    awaySeconds: 2,
    recoverySecondsMax: 20,
  },
  full: {
    // with the default cap of a day, the last of about 100,000 deliveries arrives after two hours
    retry: { baseSeconds: 120, capSeconds: 600 },
    attemptTimeoutSeconds: 15,
    capacityOutcomes: 20_000,
    warmUpSeconds: 60,
    awaySeconds: 600,
    recoverySecondsMax: 900,
  },
}

/** The default retry schedule, for comparison. */
const defaultRetry = { baseSeconds: 120, capSeconds: 86_400 }

/** A fifth of the receivers fails for a while at half the capacity: how large the backlog gets, and when it is gone. */
export const outage: Bench = {
  name: 'outage',
  onlyWhenNamed: true,
  run: async scale => {
    const plan = plans[scale]
    await using postgres = await startBenchPostgres(scale)
    const measured = await runOutage(plan, postgres)
    const full = scale === 'full'
    const unit = full ? { name: 'minutes', ms: 60_000 } : { name: 'seconds', ms: 1_000 }
    const svg = outagePlot(measured, unit, full ? 10 : 1)
    if (full) writeFileSync(new URL('outage.svg', import.meta.url), svg)
    return {
      rows: rows(plan, measured),
      unbalanced: measured.unbalanced,
      details: `![Backlog, p99 of the others and arrivals over time](outage.svg)\n\n${defaultsText(plan)}`,
    }
  },
}

function rows(plan: Plan, measured: Measured): BenchRow[] {
  const { offeredPerSecond, capacityPerSecond, beganAtMs, wentAtMs, cameAtMs, goneAtMs, samples } = measured
  const peak = Math.max(...samples.map(sample => sample.backlog))
  const goneAfter = (share: number): string => {
    const at = samples.find(({ atMs, backlog }) => atMs > cameAtMs && backlog <= peak * (1 - share))
    return at === undefined ? 'not' : seconds((at.atMs - cameAtMs) / 1_000)
  }
  const left = samples.at(-1)?.backlog ?? 0
  const isGone = goneAtMs - cameAtMs < plan.recoverySecondsMax * 1_000
  const whole = isGone ? `all after ${seconds((goneAtMs - cameAtMs) / 1_000)}` : `${left} left at the end`
  const schedule = scheduleAlone(plan)
  const p99 = (fromMs: number, untilMs: number): number =>
    percentile(latenciesDueIn(measured.latencies, 'staying', { fromMs, untilMs }), 0.99)
  const before = p99(beganAtMs, wentAtMs)
  const others = (what: string, value: number): BenchRow => ({
    what,
    measured: `${(value / before).toFixed(2)} of before (${value.toFixed(1)} ms)`,
    beside: `before ${before.toFixed(1)} ms`,
    goal: null,
  })
  return [
    {
      what: `backlog after ${plan.awaySeconds} s without 20 of 100`,
      measured: `${peak.toLocaleString('en')} deliveries`,
      beside: `${Math.round(offeredPerSecond)}/s offered of ${Math.round(capacityPerSecond)}/s`,
      goal: null,
    },
    {
      what: 'backlog gone after their return: 50, 90, 99 %, all',
      measured: `${[0.5, 0.9, 0.99].map(goneAfter).join(', ')}, ${whole}`,
      beside: `by the retry schedule alone ${[0.5, 0.9, 0.99, 1].map(share => seconds(percentile(schedule, share))).join(', ')}`,
      goal: null,
    },
    others('the 80 others’ p99 while the 20 are away', p99(wentAtMs, cameAtMs)),
    others('the 80 others’ p99 while the backlog is sent', p99(cameAtMs, goneAtMs)),
  ]
}

/**
 * When deliveries are due, in seconds after the return. Receivers that reset connections have had several retries.
 * Deliveries to hanging receivers were hardly tried, so all of them are due at once.
 */
function scheduleAlone({ retry, awaySeconds }: Pick<Plan, 'retry' | 'awaySeconds'>): Float64Array {
  const tried = backAfterSeconds(retry, awaySeconds, 50_000, Math.random)
  return Float64Array.from([...tried.map(() => 0), ...tried])
}

function defaultsText(plan: Plan): string {
  const schedule = scheduleAlone({ retry: defaultRetry, awaySeconds: plan.awaySeconds })
  const at = (share: number): string => seconds(percentile(schedule, share))
  return (
    `The run's retries are at most ${plan.retry.capSeconds} s apart, so that it comes to an end. With the default cap of ` +
    `a day the schedule alone says: 90 % of the backlog is due again after ${at(0.9)}, 99 % after ${at(0.99)}, ` +
    `the last delivery after about ${at(1)}.`
  )
}

function seconds(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} s`
}
