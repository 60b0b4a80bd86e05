import type { Examples } from './example.ts'
import { exampleIds } from './example-ids.ts'
import { exampleSecret } from './example-secret.ts'

const staged = {
  key_id: exampleIds.whk,
  state: 'staged' as const,
  secret_prefix: exampleSecret.slice(0, 10),
  created_at: '2026-11-21T09:00:00.000Z',
  promoted_at: null,
  retired_at: null,
  signature_name: 'v1s' as const,
  verified_count: 0,
  last_verified_at: null,
  recent: { attempts: 0, verified: 0 },
}
const verified = {
  ...staged,
  verified_count: 12,
  last_verified_at: '2026-11-21T09:20:00.000Z',
  recent: { attempts: 12, verified: 12 },
}

export const signingKeyExamples = {
  listSigningKeys: { query: { limit: '50' }, answer: { data: [verified], next_cursor: null } },
  stageSigningKey: { answer: { ...staged, secret: exampleSecret } },
  promoteSigningKey: {
    answer: {
      ...verified,
      state: 'primary',
      signature_name: 'v1',
      promoted_at: '2026-11-21T09:30:00.000Z',
    },
  },
  retireSigningKey: {
    answer: {
      ...staged,
      state: 'retired',
      signature_name: null,
      retired_at: '2026-11-21T09:30:00.000Z',
      recent: null,
    },
  },
} satisfies Partial<Examples>
