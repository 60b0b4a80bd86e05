import * as z from 'zod'
import { attemptErrorCodes } from '../attempt-error-code.ts'
import { healthStates } from '../health-state.ts'
import { healthWarningCodes } from '../health-warning-code.ts'
import { id } from '../ids.ts'
import { pageOf } from '../page.ts'
import { timestamp } from '../timestamp.ts'
import { disabledReason } from './webhook.ts'

/** How an endpoint fares: its failures, what follows from them, and what waits meanwhile. */
export const webhookHealth = z
  .object({
    webhook_id: id('wh'),
    state: z.enum(healthStates).meta({
      description:
        '`disabled`: nothing is sent. `failing`: nothing has succeeded since `failing_since`. `new`: nothing was ever sent. `quiet`: nothing was sent for three days, although it is usually one delivery a day or more. Else `healthy`.',
    }),
    status: z.enum(['enabled', 'disabled']),
    disabled_reason: disabledReason,
    failures_in_row: z.int().meta({ description: 'Failed attempts since the last success.' }),
    failing_since: timestamp.nullable(),
    last_error_code: z.enum(attemptErrorCodes).nullable().meta({
      description:
        'Why the latest attempt failed; null when it succeeded, or was before it was enabled again.',
    }),
    disables_at: timestamp.nullable().meta({
      description:
        'When it will be disabled if nothing succeeds until then; it also takes 20 failed attempts.',
    }),
    last_attempt_at: timestamp
      .nullable()
      .meta({ description: 'When the latest attempt ended; it can be ten seconds behind.' }),
    last_success_at: timestamp.nullable().meta({
      description: 'When the latest attempt that was acknowledged ended; it can be ten seconds behind.',
    }),
    usual_per_day: z.number().nullable().meta({
      description:
        'Deliveries that were acknowledged or given up a day, on average of the last seven days in UTC that are over, or of as many as the endpoint is old; null before the first one is over.',
    }),
    hours: z
      .array(
        z.object({
          at: timestamp.meta({ description: 'The beginning of the hour.' }),
          delivered: z.int().meta({ description: 'Attempts that were acknowledged.' }),
          failed: z.int().meta({ description: 'Attempts that were not.' }),
        }),
      )
      .meta({ description: 'The last 24 hours, oldest first; the hour that is not over is the last.' }),
    waiting_count: z.int().meta({ description: 'Deliveries that are not finished, held ones included.' }),
    drain_seconds: z.int().meta({
      description: 'How long it takes to send all of them once, at the pace of the endpoint.',
    }),
    oldest_waiting: z
      .object({
        delivery_id: id('dlv'),
        event_id: id('evt'),
        since: timestamp.meta({ description: 'When the delivery was made.' }),
      })
      .nullable(),
    last_due_at: timestamp.nullable().meta({
      description:
        'When the last of those that wait is tried at the latest; null when none does, and while it is disabled.',
    }),
    expired: z.int().meta({
      description: 'Deliveries that were given up because the day on which they were made was dropped.',
    }),
    gone: z.int().meta({
      description:
        'Deliveries that were given up because the receiver answered 410, since the answer that disabled the endpoint last. Enable it and replay `exhausted` to send them.',
    }),
    certificate_expires_at: timestamp.nullable().meta({
      description: 'Until when the certificate is good that the receiver showed last; null when unknown.',
    }),
    warnings: z.array(z.object({ code: z.enum(healthWarningCodes), message: z.string(), since: timestamp })),
  })
  .meta({ id: 'WebhookHealth' })

export const webhookHealthPage = pageOf(webhookHealth).meta({ id: 'WebhookHealthPage' })

export type WebhookHealth = z.infer<typeof webhookHealth>
