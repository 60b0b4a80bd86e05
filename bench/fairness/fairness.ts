import { atMost, type Bench, type Scale } from '../support/bench.ts'
import { percentile } from '../support/percentile.ts'
import { startBenchPostgres } from '../support/place.ts'
import { type Plan, runBurst } from './run-burst.ts'

const plans: Record<Scale, Plan> = {
  quick: { burst: 5_000, others: 10, eventsPerSecond: 10, aloneSeconds: 1 },
  full: { burst: 1_000_000, others: 20, eventsPerSecond: 10, aloneSeconds: 30 },
}

/** Compares the latencies of the other accounts during the burst with those before and after it. */
export const fairness: Bench = {
  name: 'fairness',
  run: async scale => {
    const plan = plans[scale]
    await using postgres = await startBenchPostgres(scale)
    const { before, beside, after, acceptSeconds, burstSeconds, unbalanced } = await runBurst(plan, postgres)
    const alone = Float64Array.from([...before, ...after])
    const ratio = percentile(beside, 0.99) / percentile(alone, 0.99)
    const ms = (values: Float64Array, share: number): string => `${percentile(values, share).toFixed(1)} ms`
    return {
      rows: [
        {
          what: 'the others’ p99 beside the burst',
          measured: `${ms(beside, 0.99)}, ${ratio.toFixed(2)} times that of alone (median ${ms(beside, 0.5)})`,
          beside: `before ${ms(before, 0.99)}, after ${ms(after, 0.99)}, median alone ${ms(alone, 0.5)}`,
          goal: atMost(100, percentile(beside, 0.99), ' ms'),
        },
        {
          what: `the burst of ${plan.burst.toLocaleString('en')} events`,
          measured: `delivered in ${burstSeconds.toFixed(1)} s (${Math.round(plan.burst / burstSeconds)}/s)`,
          beside: `accepted in ${acceptSeconds.toFixed(1)} s`,
          goal: null,
        },
      ],
      unbalanced,
    }
  },
}
