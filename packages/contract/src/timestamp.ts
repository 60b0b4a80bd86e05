import * as z from 'zod'
import { canonicalTimestamp } from './canonical-timestamp.ts'

/** A timestamp in responses: RFC 3339 in UTC with milliseconds. */
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  .meta({ format: 'date-time', examples: ['2026-11-21T04:00:01.120Z'] })

/**
 * A timestamp in requests: RFC 3339 with any offset, in the years that an id can hold. `canonicalTimestamp` rewrites
 * lower-case letters and leap seconds.
 */
export const timestampInput = z
  .string()
  .overwrite(canonicalTimestamp)
  .regex(
    z.regexes.datetime({ offset: true }),
    'must be an RFC 3339 date and time, such as 2026-11-21T04:00:01Z',
  )
  .regex(/^(19[7-9]\d|[2-9]\d{3})-/, 'must be in the year 1970 or later')
  .regex(/^(?!9999)/, 'must be before the year 9999')
  .meta({ format: 'date-time' })
