import { canonicalTimestamp } from '@posthorn/contract'
import { UsageError } from './command-error.ts'

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Parses a time in RFC 3339, or a time ago such as `90m`, `12h` or `3d`, into RFC 3339. */
export function parseMoment(name: string, text: string, nowMs = Date.now()): string {
  const ago = /^(\d{1,6})([smhd])$/.exec(text)
  if (ago !== null) {
    const unit = unitMs[ago[2] as keyof typeof unitMs]
    return new Date(nowMs - Number(ago[1]) * unit).toISOString()
  }
  const moment = canonicalTimestamp(text)
  if (/^\d{4}-\d{2}-\d{2}T/.test(moment) && !Number.isNaN(Date.parse(moment))) return moment
  throw new UsageError(
    `${name} must be a time such as 2026-11-21T04:00:00Z, or a time ago such as 90m, 12h or 3d, not "${text}"`,
  )
}
