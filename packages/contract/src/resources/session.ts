import * as z from 'zod'
import { id } from '../ids.ts'
import { scopes } from '../scope.ts'
import { sessionKinds } from '../session-kind.ts'
import { timestamp } from '../timestamp.ts'
import { account } from './account.ts'

/** Someone who is signed in to the dashboard, and what they may do there. */
export const session = z
  .object({
    id: z.union([id('ses'), id('pses')]),
    kind: z.enum(sessionKinds),
    account: account
      .pick({ id: true, name: true, max_endpoints: true })
      .nullable()
      .meta({ description: 'Null for the operator.' }),
    scopes: z.array(z.enum(scopes)).meta({ description: 'None for the operator.' }),
    name: z.string().meta({ description: "The API key's name, the portal's, or `operator`." }),
    csrf_token: z.string().meta({
      description: 'For the header `X-CSRF-Token` of every request with the cookie that is no GET.',
    }),
    expires_at: timestamp.meta({ description: 'The end, whatever happens.' }),
    idle_expires_at: timestamp.meta({ description: 'The end if nothing is asked any more.' }),
    portal: z
      .object({
        name: z.string().nullable(),
        logo_url: z.string().nullable(),
        allowed_origins: z.array(z.string()).meta({ description: 'The pages that may show it in a frame.' }),
      })
      .nullable()
      .meta({ description: 'Null for sessions of another kind.' }),
    retention_days: z.number().meta({ description: 'For how long events and deliveries are kept.' }),
    version: z.string().meta({ description: 'Of the service.' }),
  })
  .meta({ id: 'Session' })

export const sessionCreate = z
  .strictObject({
    credential: z
      .string()
      .trim()
      .min(1)
      .max(1024)
      .meta({ description: 'An API key, or the operator token.' }),
  })
  .meta({ id: 'SessionCreate' })

export type Session = z.infer<typeof session>
export type SessionCreate = z.output<typeof sessionCreate>
