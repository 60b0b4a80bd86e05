import { fileURLToPath } from 'node:url'
import { eximFormat } from '../../../src/cli/ingest/exim-log.ts'
import { type LineMap, readLineMap } from '../../../src/cli/ingest/line-map.ts'
import type { MailLog } from '../../../src/cli/ingest/log-outcome.ts'
import { mappedFormat } from '../../../src/cli/ingest/mapped-log.ts'

/** The maps in `examples/ingest`. */
export const mapNames = ['powermta', 'haraka', 'stalwart', 'opensmtpd'] as const

export function mapOf(name: (typeof mapNames)[number]): LineMap {
  return readLineMap(fileURLToPath(new URL(`../../../../../examples/ingest/${name}.json`, import.meta.url)))
}

/** A reader for each of these maps. */
export function mappedLogs(): MailLog[] {
  return mapNames.map(name => mappedFormat(mapOf(name)).open(undefined))
}

export function eximLog(): MailLog {
  return eximFormat({ header: null, smarthosts: new Set() }).open(undefined)
}
