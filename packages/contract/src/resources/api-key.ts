import * as z from 'zod'
import { id } from '../ids.ts'
import { pageOf } from '../page.ts'
import { scopes } from '../scope.ts'
import { line } from '../text.ts'
import { timestamp, timestampInput } from '../timestamp.ts'

const scopesMeaning =
  '`read`: all GET operations. `send`: all changes. `ingest`: reports of outcomes. No scope includes another.'

export const apiKey = z
  .object({
    id: id('key'),
    name: z.string(),
    scopes: z.array(z.enum(scopes)).meta({ description: scopesMeaning }),
    prefix: z
      .string()
      .meta({ description: 'The first characters of the key. They do not work as a credential.' }),
    created_at: timestamp,
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

export type ApiKey = z.infer<typeof apiKey>
export type ApiKeyCreated = z.infer<typeof apiKeyCreated>
export type ApiKeyCreate = z.output<typeof apiKeyCreate>
