import { readdirSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { rssMiB } from '../../../../bench/support/rss.ts'
import { serviceMetrics } from '../../../../bench/support/service-metrics.ts'

/** The figures of a process at one time of a long run. */
export interface ProcessSample {
  rssMiB: number
  descriptors: number
  /** Deliveries in the database that are not finished. */
  backlog: number
}

/** Samples a service every few seconds for this many minutes. Linux only. */
export async function sampleProcess(
  service: { url: string; pid: number },
  minutes: number,
  onSample: () => void,
): Promise<ProcessSample[]> {
  const samples: ProcessSample[] = []
  const untilMs = performance.now() + minutes * 60_000
  while (performance.now() < untilMs) {
    const metric = await serviceMetrics(service.url)
    samples.push({
      rssMiB: rssMiB(service.pid),
      descriptors: readdirSync(`/proc/${service.pid}/fd`).length,
      backlog: metric('posthorn_deliveries_in_queue'),
    })
    onSample()
    await wait(sampleEveryMs)
  }
  return samples
}

const sampleEveryMs = 3_000

/** The figures of the nth quarter of a run, counted from 1. */
export function quarter<T>(all: readonly T[], n: number): T[] {
  const length = all.length / 4
  return all.slice(Math.floor(length * (n - 1)), Math.floor(length * n))
}
