import * as z from 'zod'
import { attemptErrorCodes } from '../attempt-error-code.ts'
import { deliveryStates, exhaustedReasons } from '../delivery-state.ts'
import { emailAddress, emailId } from '../events/common.ts'
import { eventTypes } from '../event-type.ts'
import { id } from '../ids.ts'
import { anyOf, pageOf, pageQuery, wholeNumber } from '../page.ts'
import { timestamp, timestampInput } from '../timestamp.ts'
import { attempt } from './attempt.ts'

/** One event for one endpoint. */
export const delivery = z
  .object({
    id: id('dlv'),
    event_id: id('evt'),
    webhook_id: id('wh'),
    state: z.enum(deliveryStates),
    reason: z.enum(exhaustedReasons).nullable(),
    sequence: z.int().meta({ description: 'Counts per endpoint from 1 without gaps.' }),
    attempt_count: z.int(),
    retries_left: z.int(),
    next_attempt_at: timestamp
      .nullable()
      .meta({ description: 'Null when final or while the endpoint is disabled.' }),
    last_attempt_at: timestamp.nullable(),
    last_error_code: z.enum(attemptErrorCodes).nullable(),
    last_status_code: z.int().nullable().meta({
      description: 'What the latest attempt was answered; null when it had no answer, or there was none.',
    }),
    last_duration_ms: z.number().nullable().meta({ description: 'How long the latest attempt took.' }),
    created_at: timestamp,
    delivered_at: timestamp.nullable(),
    event: z.object({ type: z.enum(eventTypes), email_id: z.string(), to: z.array(z.string()) }),
    attempts: z.array(attempt).optional().meta({ description: 'Only when asked for by id.' }),
  })
  .meta({ id: 'Delivery' })

export const deliveryPage = pageOf(delivery).meta({ id: 'DeliveryPage' })

export const deliveryQuery = pageQuery.extend({
  state: anyOf(deliveryStates).optional(),
  type: anyOf(eventTypes).optional(),
  since: timestampInput.optional().meta({ description: 'Inclusive, on `created_at`.' }),
  until: timestampInput.optional().meta({ description: 'Exclusive, on `created_at`.' }),
  after_sequence: wholeNumber({ min: 0, max: 1e15 - 1 }).meta({
    type: 'integer',
    minimum: 0,
    description: 'Only higher sequence numbers, and the list runs upwards: fills gaps.',
  }),
})

export const deliverySearchQuery = pageQuery.extend({
  state: anyOf(deliveryStates).optional(),
  type: anyOf(eventTypes).optional(),
  error_code: anyOf(attemptErrorCodes).optional().meta({
    description:
      'Why the last attempt failed, of deliveries that are not delivered unless `state` asks for those: one of the codes of an attempt, or several separated by commas.',
  }),
  webhook_id: id('wh').optional().meta({ description: 'All endpoints of the account when omitted.' }),
  event_id: id('evt').optional(),
  email_id: emailId.optional(),
  recipient: emailAddress.optional(),
  since: timestampInput.optional().meta({ description: 'Inclusive, on `created_at`.' }),
  until: timestampInput.optional().meta({ description: 'Exclusive, on `created_at`.' }),
})

export type Delivery = z.infer<typeof delivery>
export type DeliverySearchQuery = z.output<typeof deliverySearchQuery>
export type DeliveryQuery = z.output<typeof deliveryQuery>
