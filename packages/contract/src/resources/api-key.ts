import * as z from 'zod'
import { id } from '../ids.ts'
import { pageOf } from '../page.ts'
import { scopes } from '../scope.ts'
import { line } from '../text.ts'
import { timestamp, timestampInput } from '../timestamp.ts'

const scopesMeaning =
  '`read`: all GET operations. `send`: all changes. `ingest`: reports of outcomes. `keys`, together with `send`: create and revoke API keys. No scope includes another.'

export const apiKey = z
  .object({
    id: id('key'),
    name: z.string(),
    scopes: z.array(z.enum(scopes)).meta({ description: scopesMeaning }),
    prefix: z
      .string()
      .meta({ description: 'The first characters of the key. They do not work as a credential.' }),
    created_at: timestamp,
    created_by: z
      .object({
        kind: z.enum(['operator', 'api_key', 'portal_session']),
        api_key_id: id('key').nullable(),
        portal_session_id: id('pses').nullable(),
      })
      .meta({ description: 'Who created the key.' }),
    expires_at: timestamp
      .nullable()
      .meta({ description: 'When the key expires. Null if it does not expire.' }),
    last_used_at: timestamp.nullable(),
    revoked_at: timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' })

export const apiKeyPage = pageOf(apiKey).meta({ id: 'ApiKeyPage' })

export const apiKeyCreated = apiKey
  .extend({
    api_key: z
      .string()
      .nullable()
      .meta({ description: 'The API key. Shown once. Null in a repeated response.' }),
  })
  .meta({ id: 'ApiKeyCreated' })

export const apiKeyCreate = z
  .strictObject({
    name: line(200),
    scopes: z
      .array(z.enum(scopes))
      .min(1)
      .transform(chosen => [...new Set(chosen)])
      .meta({ description: scopesMeaning }),
    expires_at: timestampInput
      .nullable()
      .optional()
      .meta({ description: 'When the key expires. By default it does not expire.' }),
  })
  .meta({ id: 'ApiKeyCreate' })

export const ownApiKeyCreate = apiKeyCreate
  .extend({
    expires_at: timestampInput.nullable().optional().meta({
      description:
        'When the key expires. By default as late as you may choose: with your own key, or never if yours never expires. In a portal, the link sets the latest time.',
    }),
  })
  .meta({ id: 'OwnApiKeyCreate' })

export type ApiKey = z.infer<typeof apiKey>
export type ApiKeyCreated = z.infer<typeof apiKeyCreated>
export type ApiKeyCreate = z.output<typeof apiKeyCreate>
export type OwnApiKeyCreate = z.output<typeof ownApiKeyCreate>
