import * as z from 'zod'
import { emailAddress, emailId } from '../events/common.ts'
import { eventTypes } from '../event-type.ts'
import { id } from '../ids.ts'
import { anyOf, pageOf, pageQuery } from '../page.ts'
import { timestamp, timestampInput } from '../timestamp.ts'
import { delivery } from './delivery.ts'

/** What became of an email, as it is sent to every endpoint that wants to know. */
export const event = z
  .object({
    id: id('evt'),
    type: z.enum(eventTypes),
    data: z
      .looseObject({ email_id: z.string(), to: z.array(z.string()) })
      .meta({ description: 'See the schema of the type in `GET /v1/event-types`.' }),
    created_at: timestamp,
    erased_at: timestamp.nullable(),
    deliveries: z.array(delivery).optional().meta({ description: 'Only in the answer for a single id.' }),
  })
  .meta({ id: 'Event' })

export const eventPage = pageOf(event).meta({ id: 'EventPage' })

export const eventQuery = pageQuery.extend({
  type: anyOf(eventTypes).optional(),
  email_id: emailId.optional(),
  recipient: emailAddress.optional(),
  since: timestampInput.optional().meta({ description: 'Inclusive, on `created_at`.' }),
  until: timestampInput.optional().meta({ description: 'Exclusive, on `created_at`.' }),
})

export type Event = z.infer<typeof event>
export type EventQuery = z.output<typeof eventQuery>
