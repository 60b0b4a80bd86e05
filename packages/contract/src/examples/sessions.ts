import type { Examples } from './example.ts'
import { exampleIds } from './example-ids.ts'

const session = {
  id: exampleIds.ses,
  kind: 'account' as const,
  account: { id: exampleIds.acct, name: 'Acme', max_endpoints: 10 },
  scopes: ['read' as const, 'send' as const],
  name: 'Application server',
  role: null,
  api_key_id: exampleIds.key,
  keys_expire_by: null,
  csrf_token: 'an-example-csrf-token',
  expires_at: '2026-11-28T09:00:00.000Z',
  idle_expires_at: '2026-11-21T21:00:00.000Z',
  portal: null,
  retention_days: 30,
  header_prefix: 'X-Service',
  version: '0.1.0',
}

const portalSession = {
  id: exampleIds.pses,
  account_id: exampleIds.acct,
  scopes: ['read' as const, 'send' as const],
  allowed_origins: ['https://app.example.com'],
  name: 'Acme',
  logo_url: null,
  created_at: '2026-11-21T09:00:00.000Z',
  expires_at: '2026-11-21T10:00:00.000Z',
  keys_expire_by: '2026-11-21T10:00:00.000Z',
  exchanged_at: null,
  revoked_at: null,
}

export const sessionExamples = {
  createSession: { body: { credential: 'phk_ThisIsAnExampleAndOpensNothing000000' }, answer: session },
  getProxyOperator: { answer: { operator: { name: 'ann@example.com', role: 'change' }, oidc_host: null } },
  createProxySession: {
    answer: {
      ...session,
      kind: 'operator',
      account: null,
      scopes: [],
      name: 'ann@example.com',
      role: 'change',
      api_key_id: null,
    },
  },
  getSession: { answer: session },
  deleteSession: {},
  createPortalSession: {
    body: {
      account_id: exampleIds.acct,
      scopes: ['read', 'send'],
      expires_in_seconds: 3600,
      allowed_origins: ['https://app.example.com'],
      name: 'Acme',
    },
    answer: {
      ...portalSession,
      url: `https://posthorn.example.com/portal/${exampleIds.pses}#an-example-token`,
    },
  },
  listPortalSessions: {
    query: { account_id: exampleIds.acct, limit: '20' },
    answer: { data: [portalSession], next_cursor: null },
  },
  revokePortalSession: {},
  exchangePortalSession: {
    body: { token: 'an-example-token', embedded: true },
    answer: {
      ...session,
      id: exampleIds.pses,
      kind: 'portal',
      name: 'Acme',
      api_key_id: null,
      keys_expire_by: '2026-11-21T10:00:00.000Z',
      portal: { name: 'Acme', logo_url: null, allowed_origins: ['https://app.example.com'] },
      access_token: 'phs_ThisIsAnExampleAndOpensNothing',
    },
  },
} satisfies Partial<Examples>
