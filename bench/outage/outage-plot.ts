import { epochMs, latenciesDueIn } from '../support/latency-window.ts'
import { percentile } from '../support/percentile.ts'
import { draw, type Point } from './plot.ts'
import type { Measured } from './run-outage.ts'

/** An SVG of the backlog, the p99 of the other receivers, and the arrivals after the outage, over time. */
export function outagePlot(
  measured: Measured,
  unit: { name: string; ms: number },
  p99EverySeconds: number,
): string {
  const { beganAtMs, wentAtMs, cameAtMs, goneAtMs, samples, latencies } = measured
  const x = (atMs: number): number => (atMs - wentAtMs) / unit.ms
  const p99: Point[] = []
  const stepMs = p99EverySeconds * 1_000
  for (let fromMs = beganAtMs; fromMs < Math.min(goneAtMs, epochMs()); fromMs += stepMs) {
    const values = latenciesDueIn(latencies, 'staying', { fromMs, untilMs: fromMs + stepMs })
    if (values.length > 0) p99.push({ x: x(fromMs + stepMs / 2), y: percentile(values, 0.99) })
  }
  const arrivals = samples.slice(1).map(({ atMs, acknowledged }, n) => {
    const previous = samples[n] ?? { atMs: 0, acknowledged: 0 }
    return { x: x(atMs), y: ((acknowledged - previous.acknowledged) / (atMs - previous.atMs)) * 1_000 }
  })
  return draw({
    panels: [
      {
        title: 'Backlog: deliveries not finished',
        points: samples.map(({ atMs, backlog }) => ({ x: x(atMs), y: backlog })),
      },
      { title: `p99 of the 80 others (ms), for each ${p99EverySeconds} s`, points: p99 },
      { title: 'Acknowledged by the 20 (per second)', points: arrivals },
    ],
    xTitle: `${unit.name} since 20 of 100 receivers went away`,
    band: { from: 0, to: x(cameAtMs), title: '20 of 100 receivers away' },
  })
}
