import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { DatabasePlace } from '../support/test-database.ts'
import { until } from '../support/until.ts'

/** Measures the longest time for which a service blocks its event loop. */
export interface BusyStretch {
  /** Settings to start the service with. */
  settings: Record<string, string>
  /** Discards earlier measurements, such as the start of the service. */
  begin: () => Promise<void>
  /** The longest time since `begin`, in milliseconds of CPU time. */
  mostMs: () => number
}

export function watchBusyStretch({ dataDir }: DatabasePlace): BusyStretch {
  const file = join(dataDir, 'busy-stretch')
  const mostMs = (): number => Number(readFileSync(file, 'utf8'))
  const preload = `${new URL('busy-stretch.preload.ts', import.meta.url).href}?${pathToFileURL(file).href}`
  return {
    settings: { NODE_OPTIONS: `--import=${preload}` },
    begin: async () => {
      rmSync(file)
      await until('the service counts anew', () => {
        try {
          return mostMs() >= 0
        } catch {
          return false
        }
      })
    },
    mostMs,
  }
}
