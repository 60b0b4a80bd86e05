import * as z from 'zod'
import { id } from '../ids.ts'
import { mergedPageOf } from '../page.ts'
import { line } from '../text.ts'
import { timestamp } from '../timestamp.ts'

const name = line(200)
const maxEndpoints = z
  .int()
  .min(0)
  .max(1_000_000)
  .meta({ description: 'The maximum number of webhook endpoints of the account.' })

const messages = (period: string) =>
  z
    .int()
    .min(0)
    .max(1_000_000_000)
    .nullable()
    .meta({
      description: `The maximum number of messages (one for each recipient) per ${period}. Null: no limit.`,
    })
const messagesPerHour = messages('hour')
const messagesPerDay = messages('day in UTC')

const used = (period: string) =>
  z
    .int()
    .nullable()
    .meta({
      description: `How many of them the account has sent this ${period}. Null while it has no limit, because Posthorn then does not count.`,
    })

const sendTraceparent = z.boolean().meta({
  description:
    'Whether deliveries carry a `traceparent` header (W3C Trace Context), so that receivers can continue the trace of the report.',
})

export const suspensionReasons = ['bounce_rate', 'complaint_rate', 'operator'] as const
export type SuspensionReason = (typeof suspensionReasons)[number]

/** A customer, who owns endpoints, API keys and events. */
export const account = z
  .object({
    id: id('acct'),
    name: z.string(),
    max_endpoints: z.int(),
    endpoint_count: z.int().meta({ description: 'How many endpoints the account has.' }),
    messages_per_hour: messagesPerHour,
    messages_this_hour: used('hour'),
    messages_per_day: messagesPerDay,
    messages_this_day: used('day'),
    suspended_at: timestamp.nullable().meta({
      description: 'Since when Posthorn accepts no emails of the account, because of `suspended_reason`.',
    }),
    suspended_reason: z.enum(suspensionReasons).nullable(),
    send_traceparent: sendTraceparent,
    created_at: timestamp,
  })
  .meta({ id: 'Account' })

/** What an account may send, for the account itself. */
export const sendingLimits = account
  .pick({
    messages_per_hour: true,
    messages_this_hour: true,
    messages_per_day: true,
    messages_this_day: true,
    suspended_at: true,
    suspended_reason: true,
  })
  .extend({
    hour_ends_at: timestamp.meta({ description: 'When the count of this hour starts again at zero.' }),
    day_ends_at: timestamp.meta({ description: 'When the count of this day starts again at zero.' }),
  })
  .meta({ id: 'SendingLimits' })

export const accountPage = mergedPageOf(account).meta({ id: 'AccountPage' })

export const accountCreate = z
  .strictObject({
    name,
    max_endpoints: maxEndpoints.default(10),
    messages_per_hour: messagesPerHour.optional(),
    messages_per_day: messagesPerDay.optional(),
  })
  .meta({ id: 'AccountCreate' })

export const accountUpdate = z
  .strictObject({
    name: name.optional(),
    max_endpoints: maxEndpoints.optional(),
    messages_per_hour: messagesPerHour.optional(),
    messages_per_day: messagesPerDay.optional(),
    suspended: z.boolean().optional().meta({
      description:
        '`true`: Posthorn accepts no more emails of the account. `false` lifts a suspension; earlier outcomes no longer count.',
    }),
    send_traceparent: sendTraceparent.optional(),
  })
  .meta({ id: 'AccountUpdate' })

export type SendingLimits = z.infer<typeof sendingLimits>
export type Account = z.infer<typeof account>
export type AccountCreate = z.output<typeof accountCreate>
export type AccountUpdate = z.output<typeof accountUpdate>
