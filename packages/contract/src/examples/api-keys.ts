import type { Examples } from './example.ts'
import { exampleIds } from './example-ids.ts'

const apiKey = {
  id: exampleIds.key,
  name: 'Application server',
  scopes: ['read' as const, 'send' as const],
  prefix: 'phk_ThisIs',
  created_at: '2026-11-20T09:31:00.000Z',
  created_by: { kind: 'operator' as const, api_key_id: null, portal_session_id: null },
  expires_at: '2027-11-20T00:00:00.000Z',
  last_used_at: null,
  revoked_at: null,
}
const page = {
  data: [{ ...apiKey, last_used_at: '2026-11-21T04:00:00.000Z' }],
  next_cursor: null,
}

export const apiKeyExamples = {
  createApiKey: {
    body: { name: 'Application server', scopes: ['read', 'send'], expires_at: '2027-11-20T00:00:00Z' },
    answer: { ...apiKey, api_key: 'phk_ThisIsAnExampleAndOpensNothing000000' },
  },
  listApiKeys: { query: { limit: '50' }, answer: page },
  listOwnApiKeys: { query: { limit: '50' }, answer: page },
  createOwnApiKey: {
    body: { name: 'Application server', scopes: ['read', 'send'], expires_at: '2027-11-20T00:00:00Z' },
    answer: {
      ...apiKey,
      created_by: { kind: 'api_key' as const, api_key_id: exampleIds.key, portal_session_id: null },
      api_key: 'phk_ThisIsAnExampleAndOpensNothing000000',
    },
  },
  revokeOwnApiKey: {},
  revokeApiKey: {},
} satisfies Partial<Examples>
