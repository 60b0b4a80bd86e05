import type { Call } from '../api/call.ts'
import { ApiProblem } from '../api/problem.ts'
import type { Wanted, WantedKind } from './find-ids.ts'
import { findApiKey, findEndpoint, findSigningKey, findUrl } from './look-up-endpoints.ts'
import { deliveryMatch } from './event-match.ts'
import { findEmail, findEvent, findRecipient } from './look-up-events.ts'
import { type Match, matchGroups } from './match.ts'

export interface LookUp {
  readonly call: Call
  readonly signal: AbortSignal
  readonly isOperator: boolean
  /** The endpoint of the current page, which a sequence number refers to. */
  readonly endpointId: string | null
}

type Find = (lookUp: LookUp, value: string) => Promise<Match[]>

/** The matches for the first id that the service knows, by group and newest first. */
export async function lookUp(context: LookUp, wanted: readonly Wanted[]): Promise<Match[]> {
  for (const { kind, values } of wanted) {
    const find = (context.isOperator ? operatorFinds : finds)[kind]
    if (find === undefined) continue
    const found = await Promise.all(values.map(async value => await orNone(find(context, value))))
    const matches = found
      .flat()
      .toSorted((a, b) => placeOf(a) - placeOf(b) || (b.at ?? '').localeCompare(a.at ?? ''))
    if (matches.length > 0) return matches
  }
  return []
}

function placeOf({ group }: Match): number {
  return matchGroups.indexOf(group)
}

/** A missing object or a malformed id counts as no match; every other error is reported. */
async function orNone(finding: Promise<Match[]>): Promise<Match[]> {
  try {
    return await finding
  } catch (error) {
    if (error instanceof ApiProblem && [404, 422].includes(error.status)) return []
    throw error
  }
}

const finds: Partial<Record<WantedKind, Find>> = {
  delivery: async ({ call, signal }, id) => {
    const delivery = await call('getDelivery', { params: { id }, signal })
    return [deliveryMatch(delivery)]
  },
  sequence: async ({ call, signal, endpointId }, text) => {
    if (endpointId === null) return []
    const query = { after_sequence: Number(text) - 1, limit: 1 }
    const { data } = await call('listDeliveries', { params: { id: endpointId }, query, signal })
    return data.filter(({ sequence }) => sequence === Number(text)).map(deliveryMatch)
  },
  event: findEvent,
  email: findEmail,
  recipient: findRecipient,
  replay: async ({ call, signal }, id) => {
    const replay = await call('getReplay', { params: { id }, signal })
    return [
      {
        group: 'Found by id',
        href: `/replays/${id}`,
        title: `Replay, ${replay.state}`,
        detail: id,
        at: replay.created_at,
      },
    ]
  },
  endpoint: findEndpoint,
  signing_key: findSigningKey,
  url: findUrl,
  api_key: async () => [
    { group: 'Found by id', href: '/api-keys', title: 'API keys', detail: 'of this account' },
  ],
}

const operatorFinds: Partial<Record<WantedKind, Find>> = {
  account: async ({ call, signal }, id) => {
    const account = await call('getAccount', { params: { id }, signal })
    return [
      {
        group: 'Found by id',
        href: `/operator/accounts/${id}`,
        title: account.name,
        detail: id,
        at: account.created_at,
      },
    ]
  },
  api_key: findApiKey,
}
