import * as z from 'zod'
import { emailAddress, emailId } from '../events/common.ts'
import { eventReasons } from '../events/event-reasons.ts'
import { eventTypes } from '../event-type.ts'
import { id } from '../ids.ts'
import { anyOf, pageOf, pageQuery } from '../page.ts'
import { timestamp, timestampInput } from '../timestamp.ts'
import { delivery } from './delivery.ts'

/** The outcome of an email, as every endpoint that subscribes to its type receives it. */
export const event = z
  .object({
    id: id('evt'),
    type: z.enum(eventTypes),
    data: z.looseObject({ email_id: z.string(), to: z.array(z.string()) }).meta({
      description: 'The fields depend on `type`. `GET /v1/event-types` has the schema of each type.',
    }),
    created_at: timestamp,
    erased_at: timestamp
      .nullable()
      .meta({ description: 'When an erasure removed the data. Null if none did.' }),
    deliveries: z.array(delivery).optional().meta({ description: 'Only if you get a single event.' }),
  })
  .meta({ id: 'Event' })

export const eventPage = pageOf(event).meta({ id: 'EventPage' })

export const eventQuery = pageQuery.extend({
  type: anyOf(eventTypes).optional(),
  reason: z.enum(eventReasons).optional().meta({
    description: 'Returns only events with this `bounce.category`, `failure.reason` or `unsubscribe.source`.',
  }),
  email_id: emailId.optional().meta({ description: 'Returns only events about this email.' }),
  recipient: emailAddress.optional().meta({ description: 'Returns only events about this recipient.' }),
  since: timestampInput.optional().meta({ description: 'Inclusive, on `created_at`.' }),
  until: timestampInput.optional().meta({ description: 'Exclusive, on `created_at`.' }),
})

export type Event = z.infer<typeof event>
export type EventQuery = z.output<typeof eventQuery>
