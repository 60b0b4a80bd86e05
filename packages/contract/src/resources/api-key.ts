import * as z from 'zod'
import { id } from '../ids.ts'
import { pageOf } from '../page.ts'
import { scopes } from '../scope.ts'
import { line } from '../text.ts'
import { timestamp, timestampInput } from '../timestamp.ts'

export const apiKey = z
  .object({
    id: id('key'),
    name: z.string(),
    scopes: z.array(z.enum(scopes)),
    prefix: z.string().meta({ description: 'The first characters of the key; not a credential.' }),
    created_at: timestamp,
    expires_at: timestamp.nullable(),
    last_used_at: timestamp.nullable(),
    revoked_at: timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' })

export const apiKeyPage = pageOf(apiKey).meta({ id: 'ApiKeyPage' })

export const apiKeyCreated = apiKey
  .extend({ api_key: z.string().nullable().meta({ description: 'Shown once; null in a repeated answer.' }) })
  .meta({ id: 'ApiKeyCreated' })

export const apiKeyCreate = z
  .strictObject({
    name: line(200),
    scopes: z
      .array(z.enum(scopes))
      .min(1)
      .transform(chosen => [...new Set(chosen)]),
    expires_at: timestampInput.nullable().optional(),
  })
  .meta({ id: 'ApiKeyCreate' })

export type ApiKey = z.infer<typeof apiKey>
export type ApiKeyCreated = z.infer<typeof apiKeyCreated>
export type ApiKeyCreate = z.output<typeof apiKeyCreate>
