import * as z from 'zod'
import { attemptErrorCodes } from '../attempt-error-code.ts'
import { deliveryStates, exhaustedReasons } from '../delivery-state.ts'
import { emailAddress, emailId } from '../events/common.ts'
import { eventTypes } from '../event-type.ts'
import { id } from '../ids.ts'
import { anyOf, pageOf, pageQuery, wholeNumber } from '../page.ts'
import { timestamp, timestampInput } from '../timestamp.ts'
import { aheadMax, waitingReasons } from '../waiting-reason.ts'
import { attempt } from './attempt.ts'

/** What a delivery waits for. */
const waitingFor = z
  .object({
    reason: z.enum(waitingReasons).meta({
      description:
        '`disabled`: the endpoint is disabled. `retry`: the next attempt is due later, because one failed. `drain`: the endpoint was enabled again and gets its backlog at a limited rate. `rate_limit`: the rate limit of the endpoint. `backlog`: older deliveries of the endpoint go first. `capacity`: it is the next delivery of its endpoint, and Posthorn sends it as soon as it has capacity.',
    }),
    ahead: z
      .int()
      .min(0)
      .max(aheadMax)
      .nullable()
      .meta({
        description: `How many deliveries of the endpoint go first, including those that are being sent. ${aheadMax} means ${aheadMax} or more. Null in lists, and if the endpoint is disabled.`,
      }),
    estimated_at: timestamp.nullable().meta({
      description:
        'When the next attempt probably starts, at the current rate of the endpoint. Null if unknown. In lists, only retries have it.',
    }),
  })
  .meta({ id: 'WaitingFor', description: 'What the delivery waits for.' })

/** One event for one endpoint. */
export const delivery = z
  .object({
    id: id('dlv'),
    event_id: id('evt'),
    webhook_id: id('wh'),
    state: z.enum(deliveryStates).meta({
      description:
        '`pending`: an attempt is due. `failed`: an attempt failed, and a retry is due. `delivered`: the receiver acknowledged the event. `exhausted`: Posthorn gave up.',
    }),
    reason: z
      .enum(exhaustedReasons)
      .nullable()
      .meta({ description: 'Why Posthorn gave up. Null unless the state is `exhausted`.' }),
    sequence: z
      .int()
      .meta({ description: 'The number of this delivery for the endpoint, from 1 without gaps.' }),
    attempt_count: z.int().meta({ description: 'How many attempts Posthorn has made.' }),
    retries_left: z.int().meta({ description: 'How many automatic retries are left.' }),
    next_attempt_at: timestamp.nullable().meta({
      description:
        'When the next attempt is due, never in the past. Null if it is due already, and if the delivery is finished or the endpoint is disabled.',
    }),
    waiting_for: waitingFor.nullable().meta({
      description: 'Null if the delivery is finished or being sent.',
    }),
    last_attempt_at: timestamp.nullable(),
    last_error_code: z.enum(attemptErrorCodes).nullable(),
    last_status_code: z.int().nullable().meta({
      description: 'The status code of the latest attempt. Null if there was no response or no attempt.',
    }),
    last_duration_ms: z.number().nullable().meta({ description: 'How long the latest attempt took.' }),
    created_at: timestamp,
    delivered_at: timestamp.nullable(),
    event: z
      .object({ type: z.enum(eventTypes), email_id: z.string(), to: z.array(z.string()) })
      .meta({ description: 'A summary of the event.' }),
    attempts: z.array(attempt).optional().meta({ description: 'Only if you get a single delivery.' }),
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
    description:
      'Returns deliveries with a higher sequence number, in ascending order. Use it to fetch missing events.',
  }),
})

export const deliverySearchQuery = pageQuery.extend({
  state: anyOf(deliveryStates).optional(),
  type: anyOf(eventTypes).optional(),
  error_code: anyOf(attemptErrorCodes).optional().meta({
    description:
      'One or more error codes, separated by commas. Returns deliveries whose last attempt failed with one of them. Delivered ones are included only if `state` contains `delivered`.',
  }),
  webhook_id: id('wh').optional().meta({ description: 'Defaults to all endpoints of the account.' }),
  event_id: id('evt').optional().meta({ description: 'Returns only deliveries of this event.' }),
  email_id: emailId.optional().meta({ description: 'Returns only deliveries of events about this email.' }),
  recipient: emailAddress
    .optional()
    .meta({ description: 'Returns only deliveries of events about this recipient.' }),
  since: timestampInput.optional().meta({ description: 'Inclusive, on `created_at`.' }),
  until: timestampInput.optional().meta({ description: 'Exclusive, on `created_at`.' }),
})

export type WaitingFor = z.infer<typeof waitingFor>
export type Delivery = z.infer<typeof delivery>
export type DeliverySearchQuery = z.output<typeof deliverySearchQuery>
export type DeliveryQuery = z.output<typeof deliveryQuery>
