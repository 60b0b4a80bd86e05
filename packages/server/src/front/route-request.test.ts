import { routes } from '@posthorn/contract'
import { describe, expect, test } from 'vitest'
import { accountCode } from '../domain/account-code.ts'
import { typeId } from '../domain/type-id.ts'
import type { FrontCaller } from './front-caller.ts'
import { type DecidedRule, isDecided, type Routed, routeRequest } from './route-request.ts'

const uuid = '01890a5d-ac96-774b-bcce-b302099a8057'
const other = '01890a5d-ac96-774b-bcce-b302ffffff01'
const account = { account: accountCode(uuid) }
const key: FrontCaller = { kind: 'account', code: accountCode(other) }
const own = { account: accountCode(other) }
const operator: FrontCaller = { kind: 'operator' }
const session: FrontCaller = {
  kind: 'named_operator',
  presented: { text: `phs_${'A'.repeat(37)}000000`, isCookie: true },
}
const nobody: FrontCaller = { kind: 'nobody' }
const accountId = typeId('acct', uuid)

function goes(rule: DecidedRule, request: Partial<Routed>) {
  return routeRequest(rule, {
    caller: nobody,
    isPublic: false,
    id: null,
    query: {},
    body: undefined,
    ...request,
  })
}

/** For each rule: where requests go. */
const cases: Record<DecidedRule, () => void> = {
  caller: () => {
    expect(goes('caller', { caller: key })).toEqual(own)
    for (const caller of [operator, session, nobody]) expect(goes('caller', { caller })).toBe('shard_0')
  },
  account_in_path: () => {
    const id = { prefix: 'acct', text: accountId } as const
    for (const caller of [operator, session]) expect(goes('account_in_path', { caller, id })).toEqual(account)
    expect(goes('account_in_path', { caller: key, id })).toEqual(own)
    expect(goes('account_in_path', { caller: nobody, id })).toBe('shard_0')
    for (const text of ['', 'acct_', typeId('wh', uuid), `${accountId}0`]) {
      expect(goes('account_in_path', { caller: operator, id: { prefix: 'acct', text } })).toBe('shard_0')
    }
  },
  account_in_query: () => {
    const query = { account_id: accountId }
    expect(goes('account_in_query', { caller: operator, query })).toEqual(account)
    expect(goes('account_in_query', { caller: operator })).toBe('all_shards')
    expect(goes('account_in_query', { caller: key, query })).toEqual(own)
    expect(goes('account_in_query', { caller: nobody })).toBe('shard_0')
    for (const account_id of ['', 'x', [accountId, accountId]]) {
      expect(goes('account_in_query', { caller: operator, query: { account_id } })).toBe('shard_0')
    }
  },
  account_in_body: () => {
    const body = { account_id: accountId }
    expect(goes('account_in_body', { caller: session, body })).toEqual(account)
    expect(goes('account_in_body', { caller: key, body })).toEqual(own)
    for (const wrong of [undefined, null, 3, [], {}, { account_id: 3 }, { account_id: 'acct_x' }]) {
      expect(goes('account_in_body', { caller: operator, body: wrong })).toBe('shard_0')
    }
  },
  code_in_id: () => {
    const erasure = { prefix: 'era', text: typeId('era', uuid) } as const
    expect(goes('code_in_id', { caller: operator, id: erasure })).toEqual(account)
    expect(goes('code_in_id', { caller: key, id: erasure })).toEqual(own)
    expect(goes('code_in_id', { caller: nobody, id: erasure })).toBe('shard_0')
    const link = { prefix: 'pses', text: typeId('pses', uuid) } as const
    // a portal link needs no credential, and ignores one
    for (const caller of [key, operator, nobody]) {
      expect(goes('code_in_id', { caller, isPublic: true, id: link })).toEqual(account)
    }
    expect(goes('code_in_id', { isPublic: true, id: { prefix: 'pses', text: 'pses_x' } })).toBe('shard_0')
  },
  credential_in_body: () => {
    const credential = ` phk_${'0'.repeat(24)}00002B012345\n`
    expect(goes('credential_in_body', { isPublic: true, body: { credential } })).toEqual({ account: 135 })
    for (const body of [undefined, 'x', {}, { credential: 7 }, { credential: 'the operator token' }]) {
      expect(goes('credential_in_body', { isPublic: true, body })).toBe('shard_0')
    }
  },
  all_shards: () => {
    for (const caller of [operator, session]) expect(goes('all_shards', { caller })).toBe('all_shards')
    expect(goes('all_shards', { caller: key })).toEqual(own)
    expect(goes('all_shards', { caller: nobody })).toBe('shard_0')
  },
}

describe.each(Object.entries(cases))('the rule %s', (rule, check) => {
  test('sends requests where it says', check)

  test('is used by an operation', () => {
    expect(
      Object.values(routes)
        .filter(isDecided)
        .some(route => route.front === rule),
    ).toBe(true)
  })
})
