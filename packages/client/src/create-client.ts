import { type OperationId, type Route, routes } from '@posthorn/contract'
import type { Answer, AnyInput, CallInput, CallOptions, ItemOf, ListId } from './call.ts'
import { IncompleteListError } from './incomplete-list-error.ts'
import { readAnswer } from './read-answer.ts'
import { type Patience, sendPatiently } from './send-patiently.ts'

export interface ClientOptions {
  /** The URL of the service, such as `https://posthorn.example.com`. */
  readonly url: string
  /** An API key or the operator token. */
  readonly credential: string
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch
  /** The timeout of each try. Defaults to 30 s. */
  readonly timeoutMs?: number
  /** How often the client retries a safe call after 429 or 503. Defaults to 2. */
  readonly retriesMax?: number
}

/** One method for each operation of the contract, and `each` for the items of a list. */
export type Client = {
  readonly [Id in OperationId]: (
    ...call: Record<never, never> extends CallInput<Id>
      ? [input?: CallInput<Id>, options?: CallOptions]
      : [input: CallInput<Id>, options?: CallOptions]
  ) => Promise<Answer<Id>>
} & {
  /**
   * Iterates over all items of a list and fetches the pages as needed.
   * @throws IncompleteListError if a shard of the installation does not respond
   */
  each<Id extends ListId>(
    id: Id,
    ...call: Record<never, never> extends CallInput<Id>
      ? [input?: CallInput<Id>, options?: CallOptions]
      : [input: CallInput<Id>, options?: CallOptions]
  ): AsyncGenerator<ItemOf<Id>, void>
}

/**
 * Creates a client for a running Posthorn. The methods, inputs and responses come from the route table of the contract.
 * Safe calls (GET, and calls with an idempotency key) wait and retry after 429 and 503.
 * @example
 * const client = createClient({ url: 'http://127.0.0.1:4100', credential: 'phk_…' })
 * const { id, secret } = await client.createWebhook({ body: { url: 'https://hooks.example.com/mail' } })
 * for await (const delivery of client.each('listDeliveries', { params: { id } })) console.log(delivery.state)
 * @throws ApiProblem for an error response, UnexpectedAnswerError if the response is not from Posthorn, and any error of
 * `fetch`
 */
export function createClient(options: ClientOptions): Client {
  const patience: Patience = {
    fetch: options.fetch ?? globalThis.fetch,
    timeoutMs: options.timeoutMs ?? 30_000,
    retriesMax: options.retriesMax ?? 2,
  }
  const call = async (route: Route, input: AnyInput = {}, how: CallOptions = {}): Promise<unknown> => {
    const isSafe = route.method === 'GET' || how.idempotencyKey !== undefined
    const request = {
      url: address(options.url, route, input),
      init: requestInit(options.credential, route, input, how),
      signal: how.signal,
    }
    return await readAnswer(route, await sendPatiently(request, isSafe, patience))
  }
  const methods = Object.values<Route>(routes).map(route => [
    route.operationId,
    async (input?: AnyInput, how?: CallOptions) => await call(route, input, how),
  ])
  const each = async function* (id: ListId, input: AnyInput = {}, how?: CallOptions) {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query: AnyInput['query'] = { ...input.query, cursor: cursor ?? input.query?.['cursor'] }
      const page = (await call(routes[id], { ...input, query }, how)) as UntypedPage
      if (page.unavailable_shards !== undefined) throw new IncompleteListError(page.unavailable_shards)
      yield* page.data
      cursor = page.next_cursor
    }
  }
  return asClient({ ...Object.fromEntries(methods), each })
}

interface UntypedPage {
  data: unknown[]
  next_cursor: string | null
  unavailable_shards?: number[]
}

/** Safe, because the methods are built from the table that the type is derived from. */
function asClient(made: object): Client {
  return made as Client
}

function address(base: string, route: Route, { params, query = {} }: AnyInput): string {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params?.[name] ?? ''),
  )
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const search = given.length === 0 ? '' : `?${new URLSearchParams(given)}`
  return base.replace(/\/+$/, '') + path + search
}

/** Encodes the credential as UTF-8, because `fetch` sends each character of a header as one byte. */
function bearer(credential: string): string {
  return `Bearer ${Array.from(new TextEncoder().encode(credential), byte => String.fromCharCode(byte)).join('')}`
}

function requestInit(
  credential: string,
  route: Route,
  { body }: AnyInput,
  { idempotencyKey }: CallOptions,
): RequestInit {
  return {
    method: route.method,
    headers: {
      authorization: bearer(credential),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    redirect: 'manual',
  }
}
