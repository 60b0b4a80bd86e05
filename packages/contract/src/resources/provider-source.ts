import * as z from 'zod'
import { id } from '../ids.ts'
import { pageOf } from '../page.ts'
import { type ProviderKind, providerKinds } from '../provider-kind.ts'
import { timestamp } from '../timestamp.ts'

const kind = z.enum(Object.keys(providerKinds) as [ProviderKind, ...ProviderKind[]])

/** A mail provider whose webhook reports outcomes for one account. */
export const providerSource = z
  .object({
    id: id('src'),
    kind: kind.meta({ description: 'The mail provider.' }),
    created_at: timestamp,
    last_at: timestamp.nullable().meta({
      description: 'When the provider last sent a request with a valid signature. Null before the first.',
    }),
    event_count: z.int().meta({ description: 'Events that its reports created.' }),
    ignored_count: z.int().meta({ description: 'Reports that created no event.' }),
    refused_count: z
      .int()
      .meta({ description: 'Requests without a valid signature. If it rises, check the key and the clock.' }),
  })
  .meta({ id: 'ProviderSource' })

export const providerSourcePage = pageOf(providerSource).meta({ id: 'ProviderSourcePage' })

export const providerSourceCreated = providerSource
  .extend({
    report_url: z.string().nullable().meta({
      description:
        'The URL for the webhook at the provider. It contains a secret token. Shown once. Null in a repeated response.',
    }),
  })
  .meta({ id: 'ProviderSourceCreated' })

export const providerSourceCreate = z
  .strictObject({
    kind,
    key: z.string().min(1).max(8_192).meta({
      description:
        'What the provider signs its requests with, or proves them by. `mailgun`: the HTTP webhook signing key. `sendgrid`: the verification key of the Event Webhook. `postmark`: `user:password`, as in its webhook. `postal`: the DKIM record that `postal default-dkim-record` prints, or the public key. `resend`: the signing secret. `ses`: the ARN of the SNS topic.',
    }),
  })
  .meta({ id: 'ProviderSourceCreate' })

export type ProviderSource = z.infer<typeof providerSource>
export type ProviderSourceCreated = z.infer<typeof providerSourceCreated>
export type ProviderSourceCreate = z.output<typeof providerSourceCreate>
