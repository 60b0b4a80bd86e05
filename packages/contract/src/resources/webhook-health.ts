import * as z from 'zod'
import { healthWarningCodes } from '../health-warning-code.ts'
import { timestamp } from '../timestamp.ts'
import { disabledReason } from './webhook.ts'

/** How an endpoint fares: its failures, what follows from them, and what waits meanwhile. */
export const webhookHealth = z
  .object({
    status: z.enum(['enabled', 'disabled']),
    disabled_reason: disabledReason,
    failures_in_row: z.int().meta({ description: 'Failed attempts since the last success.' }),
    failing_since: timestamp.nullable(),
    disables_at: timestamp.nullable().meta({
      description:
        'When it will be disabled if nothing succeeds until then; it also takes 20 failed attempts.',
    }),
    waiting: z.int().meta({ description: 'Deliveries that are not finished, held ones included.' }),
    expired: z.int().meta({
      description: 'Deliveries that were given up because the day on which they were made was dropped.',
    }),
    warnings: z.array(z.object({ code: z.enum(healthWarningCodes), message: z.string(), since: timestamp })),
  })
  .meta({ id: 'WebhookHealth' })

export type WebhookHealth = z.infer<typeof webhookHealth>
