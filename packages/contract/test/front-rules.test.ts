import { describe, expect, test } from 'vitest'
import type * as z from 'zod'
import { type FrontRule, frontRules, type Route, routes } from '../src/index.ts'

const all = Object.values<Route>(routes)

/** Whether an object schema has `account_id`. */
function hasAccountId(schema: z.ZodType | undefined): boolean {
  const shape = schema !== undefined && 'shape' in schema ? (schema.shape as object) : {}
  return 'account_id' in shape
}

/** What a route must have, so that a front can follow its rule. */
const needs: Record<FrontRule, (route: Route) => boolean> = {
  // shard 0 has the tokens of operators, and serves callers without an account
  caller: ({ auth, path }) =>
    ['read', 'send', 'send_and_keys', 'ingest', 'session'].includes(auth) ||
    /^\/v1\/(operators|sessions\/proxy)/.test(path),
  account_in_path: ({ auth, params }) => auth === 'operator' && params?.['id'] === 'acct',
  account_in_query: ({ query }) => hasAccountId(query),
  account_in_body: ({ body }) => hasAccountId(body?.schema),
  code_in_id: ({ params }) => ['era', 'pses'].includes(params?.['id'] ?? ''),
  credential_in_body: ({ auth, body }) => auth === 'public' && body !== undefined,
  report: ({ auth }) => auth === 'operator_or_ingest',
  new_account: ({ auth }) => auth === 'operator',
  all_shards: ({ auth }) => auth === 'operator',
  front: ({ auth }) => auth === 'public',
  shard_in_query: ({ auth, query }) => auth === 'operator' && query !== undefined && 'shard' in query.shape,
}

test('every operation says how a front finds its shard', () => {
  expect(all.filter(({ front }) => !(front in frontRules)).map(({ operationId }) => operationId)).toEqual([])
})

test('every rule is used', () => {
  expect(Object.keys(frontRules).filter(rule => !all.some(({ front }) => front === rule))).toEqual([])
})

describe.each(all.map(route => [route.operationId, route] as const))('%s', (_, route) => {
  test(`has what the rule ${route.front} needs`, () => {
    expect(needs[route.front](route)).toBe(true)
  })
})
