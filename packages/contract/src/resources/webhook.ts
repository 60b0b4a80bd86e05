import * as z from 'zod'
import { eventTypes } from '../event-type.ts'
import { id } from '../ids.ts'
import { mapOf } from '../map-of.ts'
import { pageOf } from '../page.ts'
import { line, paragraph } from '../text.ts'
import { timestamp } from '../timestamp.ts'

export const disabledReason = z.enum(['manual', 'gone', 'failing']).nullable().meta({
  description:
    '`manual`: a user disabled it. `gone`: the receiver answered 410. `failing`: every attempt failed for days.',
})

/** A URL of a customer that receives signed events. */
export const webhook = z
  .object({
    id: id('wh'),
    url: z.string(),
    events: z.array(z.enum(eventTypes)),
    description: z.string(),
    status: z.enum(['enabled', 'disabled']),
    disabled_reason: disabledReason,
    secret_prefix: z
      .string()
      .meta({ description: 'The first 10 characters of the primary secret. It cannot sign or verify.' }),
    headers: z
      .record(z.string(), z.string())
      .meta({ description: 'Your extra request headers. Values are shown as `***`.' }),
    rate_limit_per_second: z
      .int()
      .nullable()
      .meta({ description: 'The maximum number of requests per second. Null means no limit.' }),
    standard_webhooks: z
      .boolean()
      .meta({ description: 'Whether each request also has the headers of Standard Webhooks.' }),
    retry_base_seconds: z
      .number()
      .nullable()
      .meta({ description: 'The maximum delay before the first retry. Null means the operator’s default.' }),
    retry_cap_seconds: z
      .number()
      .nullable()
      .meta({ description: 'The maximum of every retry delay. Null means the operator’s default.' }),
    attempt_timeout_seconds: z
      .number()
      .nullable()
      .meta({ description: 'The time limit of one attempt. Null means the operator’s default.' }),
    client_certificate: z.object({ subject: z.string(), expires_at: timestamp }).nullable().meta({
      description: 'The client certificate that your server gets if it asks for one. Null means none.',
    }),
    tags: z.array(z.string()).meta({ description: 'The tags that it filters by. Empty means all events.' }),
    sending_domains: z
      .array(z.string())
      .meta({ description: 'The sending domains that it filters by. Empty means all events.' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Webhook' })

export const webhookPage = pageOf(webhook).meta({ id: 'WebhookPage' })

const tags = z
  .array(line(321).regex(/^.[^=]*=/u, 'must be `name=value`, such as kind=receipt'))
  .max(20)
  .transform(chosen => [...new Set(chosen)])
  .meta({
    description:
      'Sends only events about emails with one of these tags, such as `kind=receipt`. Empty means all events.',
  })
const sendingDomains = z.array(line(255)).max(20).meta({
  description: 'Sends only events about emails from one of these domains. Empty means all events.',
})

export const webhookCreated = webhook
  .extend({
    secret: z
      .string()
      .nullable()
      .meta({ description: 'The full signing secret. Shown once. Null in a repeated response.' }),
  })
  .meta({ id: 'WebhookCreated' })

const url = z.string().meta({
  format: 'uri',
  description: 'The public https URL that receives the events.',
  examples: ['https://hooks.example.com/mail'],
})
const events = z
  .array(z.enum(eventTypes))
  .min(1)
  .transform(chosen => [...new Set(chosen)])
  .meta({
    description:
      'The event types to send. Defaults to `email.delivered`, `email.bounced`, `email.failed` and `email.unsubscribed`. Name the others to get them.',
  })
const enabled = z
  .boolean()
  .meta({ description: '`false` disables the endpoint. Its deliveries wait until you enable it again.' })
const description = paragraph(1000).meta({
  description: 'The name of the endpoint on the dashboard and in notices. Without it, they show the URL.',
})
const headerName = z.string().min(1)
const rateLimit = z
  .int()
  .min(1)
  .max(1_000_000)
  .nullable()
  .meta({ description: 'The maximum number of requests per second. Null means no limit.' })
const standardWebhooks = z.boolean().meta({
  description:
    '`true` adds the headers of Standard Webhooks to each request: `webhook-id`, `webhook-timestamp` and `webhook-signature`.',
})
const retryBase = z.number().positive().nullable().meta({
  description:
    'The maximum delay before the first retry, 120 seconds by default. It doubles with each retry. Null means the default. The operator sets the bounds.',
})
const retryCap = z.number().positive().nullable().meta({
  description:
    'The maximum of every retry delay, 86,400 seconds by default, unless `Retry-After` asks for more. Null means the default. The operator sets the bounds.',
})
const attemptTimeout = z.number().positive().nullable().meta({
  description:
    'The time limit of one attempt, 15 seconds by default. Null means the default. The operator sets the bounds.',
})
const clientCertificate = z
  .strictObject({
    certificate: z
      .string()
      .max(32_768)
      .meta({ description: 'The certificate in PEM, then its intermediates.' }),
    private_key: z
      .string()
      .max(16_384)
      .meta({ description: 'Its private key in PEM, without a passphrase. No answer ever shows it.' }),
  })
  .nullable()
  .meta({
    description:
      'The client certificate that your server gets if it asks for one (mTLS). It replaces an earlier one, and null removes it.',
  })

/** What a new endpoint and a changed one can have alike. */
const settings = {
  rate_limit_per_second: rateLimit.optional(),
  standard_webhooks: standardWebhooks.optional(),
  retry_base_seconds: retryBase.optional(),
  retry_cap_seconds: retryCap.optional(),
  attempt_timeout_seconds: attemptTimeout.optional(),
  client_certificate: clientCertificate.optional(),
  tags: tags.optional(),
  sending_domains: sendingDomains.optional(),
}

export const webhookCreate = z
  .strictObject({
    url,
    events: events.optional(),
    description: description.optional(),
    enabled: enabled.optional(),
    headers: mapOf(headerName, z.string())
      .optional()
      .meta({ description: 'Up to 20 extra headers for each request, such as a token of your gateway.' }),
    ...settings,
  })
  .meta({ id: 'WebhookCreate' })

export const webhookUpdate = z
  .strictObject({
    url: url.optional(),
    events: events.optional(),
    description: description.optional(),
    enabled: enabled.optional(),
    headers: mapOf(headerName, z.string().nullable()).optional().meta({
      description:
        'Changes only the headers that you name. Null removes a header, and `***` keeps its value.',
    }),
    ...settings,
  })
  .meta({ id: 'WebhookUpdate' })

export type Webhook = z.infer<typeof webhook>
export type WebhookCreated = z.infer<typeof webhookCreated>
export type WebhookCreate = z.output<typeof webhookCreate>
export type WebhookUpdate = z.output<typeof webhookUpdate>
