import * as z from 'zod'
import { attemptErrorCodes } from '../attempt-error-code.ts'
import { healthStates } from '../health-state.ts'
import { healthWarningCodes } from '../health-warning-code.ts'
import { id } from '../ids.ts'
import { pageOf } from '../page.ts'
import { timestamp } from '../timestamp.ts'
import { disabledReason } from './webhook.ts'

const attemptsDelivered = z.int().meta({ description: 'Attempts that the receiver acknowledged.' })
const attemptsFailed = z.int().meta({ description: 'Attempts that failed.' })

/** The health of an endpoint: its failures, warnings and waiting deliveries. */
export const webhookHealth = z
  .object({
    webhook_id: id('wh'),
    state: z.enum(healthStates).meta({
      description:
        '`disabled`: Posthorn sends nothing. `failing`: no attempt has succeeded since `failing_since`, for an hour or for more attempts than it usually fails in a row. `degraded`: the receiver acknowledged less than 95% of at least 20 attempts within 60 minutes. It stays `degraded` for at least an hour, until 98% succeed. `new`: Posthorn has sent nothing yet. `quiet`: no delivery for three days, although there is usually at least one a day. Otherwise `healthy`. One failure never changes the state of an endpoint that worked before.',
    }),
    status: z.enum(['enabled', 'disabled']),
    disabled_reason: disabledReason,
    failures_in_row: z.int().meta({ description: 'Failed attempts since the last success.' }),
    failing_since: timestamp
      .nullable()
      .meta({ description: 'When the failures since the last success started. Null if there are none.' }),
    last_error_code: z.enum(attemptErrorCodes).nullable().meta({
      description:
        'Why the latest attempt failed. Null if it succeeded, or if the endpoint was enabled again afterwards.',
    }),
    disables_at: timestamp.nullable().meta({
      description:
        'When Posthorn will disable the endpoint if no attempt succeeds before then and at least 20 have failed.',
    }),
    last_attempt_at: timestamp
      .nullable()
      .meta({ description: 'When the latest attempt ended. Up to ten seconds behind.' }),
    last_success_at: timestamp.nullable().meta({
      description: 'When the latest successful attempt ended. Up to ten seconds behind.',
    }),
    last_failure_at: timestamp.nullable().meta({
      description: 'When the latest failed attempt ended. Up to ten seconds behind.',
    }),
    usual_per_day: z.number().nullable().meta({
      description:
        'Finished deliveries per day, averaged over the last seven complete days (UTC) or the age of the endpoint. Null during the first day.',
    }),
    hours: z
      .array(
        z.object({
          at: timestamp.meta({ description: 'The start of the hour.' }),
          delivered: attemptsDelivered,
          failed: attemptsFailed,
        }),
      )
      .meta({ description: 'The last 24 hours, oldest first. The last entry is the current hour.' }),
    last_hour: z
      .object({
        until: timestamp.meta({ description: 'The end of the hour, one to two minutes ago.' }),
        delivered: attemptsDelivered,
        failed: attemptsFailed,
      })
      .meta({
        description:
          'The last 60 complete minutes. The newest ended at least a minute ago, so late results do not change it.',
      }),
    last_day: z
      .object({
        delivered: attemptsDelivered,
        failed: attemptsFailed,
        p50_ms: z.number().nullable().meta({
          description:
            'Half of the attempts that the receiver answered took at most this long. Null if it answered none.',
        }),
        p95_ms: z.number().nullable().meta({
          description: '95% of them took at most this long. Null if it answered none.',
        }),
      })
      .meta({
        description:
          'The last 24 hours: the current quarter of an hour and the 95 before it. Up to ten seconds behind.',
      }),
    waiting_count: z.int().meta({
      description:
        'Deliveries that are not finished, including those that wait because the endpoint is disabled.',
    }),
    drain_seconds: z.int().meta({
      description:
        'How many seconds it takes to send each waiting delivery once, at the rate of the endpoint.',
    }),
    oldest_waiting: z
      .object({
        delivery_id: id('dlv'),
        event_id: id('evt'),
        since: timestamp.meta({ description: 'When the delivery was created.' }),
      })
      .nullable(),
    last_due_at: timestamp.nullable().meta({
      description:
        'When the last of the waiting deliveries is due, never in the past. Null if all are due already, if none waits, and if the endpoint is disabled.',
    }),
    expired: z.int().meta({
      description: 'Deliveries that Posthorn gave up because they were older than the retention period.',
    }),
    gone: z.int().meta({
      description:
        'Deliveries that Posthorn gave up when the receiver last answered 410. To send them, enable the endpoint and create a replay of `exhausted` deliveries with `gone_since` as its `since`. Deliveries that you retry or replay no longer count, and test events never do. The end of the retention period sets this to 0.',
    }),
    gone_since: timestamp
      .nullable()
      .meta({ description: 'When the oldest of these deliveries was created. Null if there are none.' }),
    certificate_expires_at: timestamp.nullable().meta({
      description: 'When the latest certificate of the receiver expires. Null if unknown.',
    }),
    warnings: z.array(z.object({ code: z.enum(healthWarningCodes), message: z.string(), since: timestamp })),
  })
  .meta({ id: 'WebhookHealth' })

export const webhookHealthPage = pageOf(webhookHealth).meta({ id: 'WebhookHealthPage' })

export type WebhookHealth = z.infer<typeof webhookHealth>
