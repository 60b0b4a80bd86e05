import * as z from 'zod'
import { id } from '../ids.ts'
import { mergedPageOf, pageQuery } from '../page.ts'
import { defaultPortalScopes, portalScopes } from '../portal-scope.ts'
import { line } from '../text.ts'
import { timestamp, timestampInput } from '../timestamp.ts'
import { session } from './session.ts'

// only characters of a host, because the origin becomes part of a Content-Security-Policy
const origin = '(https://[a-z0-9]([a-z0-9.-]*[a-z0-9])?|http://(localhost|127[.]0[.]0[.]1))(:[0-9]{1,5})?'
const portalScopeList = z.array(z.enum(portalScopes)).min(1)

/** A link that opens one session in the dashboard of one account, without an API key. */
export const portalSession = z
  .object({
    id: id('pses'),
    account_id: id('acct'),
    scopes: portalScopeList,
    allowed_origins: z.array(z.string()),
    name: z.string().nullable(),
    logo_url: z.string().nullable(),
    created_at: timestamp,
    expires_at: timestamp.meta({ description: 'When the link and its session expire.' }),
    keys_expire_by: timestamp.nullable().meta({
      description:
        'The latest expiry of the API keys that the session creates. Null if they need not expire.',
    }),
    exchanged_at: timestamp.nullable().meta({ description: 'When the link was opened.' }),
    revoked_at: timestamp.nullable(),
  })
  .meta({ id: 'PortalSession' })

export const portalSessionPage = mergedPageOf(portalSession).meta({ id: 'PortalSessionPage' })

export const portalSessionCreated = portalSession
  .extend({
    url: z.string().nullable().meta({
      description: 'The link. The part after `#` is its secret. Shown once. Null in a repeated response.',
    }),
  })
  .meta({ id: 'PortalSessionCreated' })

export const portalSessionCreate = z
  .strictObject({
    account_id: id('acct'),
    scopes: portalScopeList
      .default([...defaultPortalScopes])
      .transform(chosen => [...new Set(chosen)])
      .meta({
        description:
          'What the session may do. `keys`, together with `send`, lets it create and revoke API keys of the account.',
      }),
    expires_in_seconds: z.int().min(60).max(86_400).default(3_600),
    keys_expire_by: timestampInput.nullable().optional().meta({
      description:
        'With the scope `keys`: the latest expiry of the API keys that the session creates. Null if they need not expire. By default, they expire with the session.',
    }),
    allowed_origins: z
      .array(
        z
          .string()
          .max(200)
          .regex(
            new RegExp(`^${origin}$`),
            'must be an origin in lower case, such as https://app.example.com',
          ),
      )
      .max(10)
      .default([])
      .meta({
        description: 'The origins of the pages that may show the portal in a frame. If empty, no page may.',
      }),
    name: line(200).optional().meta({ description: 'The name that the portal shows.' }),
    logo_url: z
      .string()
      .max(2048)
      .regex(new RegExp(`^${origin}/[\\x21-\\x7e]*$`), 'must be an https URL with its host in lower case')
      .optional(),
  })
  .meta({ id: 'PortalSessionCreate' })

export const portalSessionQuery = pageQuery.extend({
  account_id: id('acct').optional().meta({ description: 'Defaults to all accounts.' }),
})

export const portalExchange = z
  .strictObject({
    token: z.string().min(1).max(200).meta({ description: 'The part after `#` in the link.' }),
    embedded: z.boolean().meta({
      description:
        'Set this to true in a frame on another page. The response then has an `access_token` and sets no cookie.',
    }),
  })
  .meta({ id: 'PortalExchange' })

export const exchangedSession = session
  .extend({
    access_token: z.string().nullable().meta({
      description: 'If `embedded`: the bearer token of the session. It needs no `X-CSRF-Token`. Shown once.',
    }),
  })
  .meta({ id: 'ExchangedSession' })

export type PortalSession = z.infer<typeof portalSession>
export type PortalSessionCreated = z.infer<typeof portalSessionCreated>
export type PortalSessionCreate = z.output<typeof portalSessionCreate>
export type PortalSessionQuery = z.output<typeof portalSessionQuery>
export type PortalExchange = z.output<typeof portalExchange>
export type ExchangedSession = z.infer<typeof exchangedSession>
