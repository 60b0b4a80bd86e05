import * as z from 'zod'
import { id } from '../ids.ts'
import { operatorRoles } from '../operator-role.ts'
import { scopes } from '../scope.ts'
import { sessionKinds } from '../session-kind.ts'
import { timestamp } from '../timestamp.ts'
import { account } from './account.ts'

/** A dashboard session, with the scopes of its user. */
export const session = z
  .object({
    id: z.union([id('ses'), id('pses')]),
    kind: z.enum(sessionKinds),
    account: account
      .pick({ id: true, name: true, max_endpoints: true })
      .nullable()
      .meta({ description: 'Null for the operator.' }),
    scopes: z.array(z.enum(scopes)).meta({ description: 'Empty for the operator.' }),
    name: z.string().meta({ description: 'The name of the API key, of the portal or of the operator.' }),
    role: z
      .enum(operatorRoles)
      .nullable()
      .meta({ description: 'What the operator may do: `view` or `change`. Null for customers.' }),
    api_key_id: id('key').nullable().meta({
      description: 'The API key that opened the session. Null for the operator and in a portal.',
    }),
    keys_expire_by: timestamp.nullable().meta({
      description:
        'The latest expiry of the API keys that the session creates. Null if they need not expire.',
    }),
    csrf_token: z.string().meta({
      description: 'Send this as `X-CSRF-Token` with each request that uses the cookie, except GET.',
    }),
    expires_at: timestamp.meta({ description: 'The latest time at which the session ends.' }),
    idle_expires_at: timestamp.meta({ description: 'When the session ends if nobody uses it.' }),
    portal: z
      .object({
        name: z.string().nullable(),
        logo_url: z.string().nullable(),
        allowed_origins: z
          .array(z.string())
          .meta({ description: 'The origins of the pages that may show the portal in a frame.' }),
      })
      .nullable()
      .meta({ description: 'Null unless a portal link opened the session.' }),
    retention_days: z.number().meta({ description: 'How many days Posthorn keeps events and deliveries.' }),
    header_prefix: z.string().meta({
      description:
        'The beginning of the names of Posthorn’s headers; `X-Service` unless the operator changed it.',
    }),
    version: z.string().meta({ description: 'The version of the service.' }),
  })
  .meta({ id: 'Session' })

export const proxyOperator = z
  .object({
    operator: z
      .object({ name: z.string(), role: z.enum(operatorRoles) })
      .nullable()
      .meta({ description: 'Null if no trusted proxy names an operator.' }),
    oidc_host: z.string().nullable().meta({
      description:
        'The OpenID provider with which operators can sign in at `/sign-in/oidc`. Null if there is none.',
    }),
  })
  .meta({ id: 'ProxyOperator' })

export const sessionCreate = z
  .strictObject({
    credential: z
      .string()
      .trim()
      .min(1)
      .max(1024)
      .meta({ description: 'An API key, the operator token or an operator’s named token.' }),
  })
  .meta({ id: 'SessionCreate' })

export type Session = z.infer<typeof session>
export type SessionCreate = z.output<typeof sessionCreate>
