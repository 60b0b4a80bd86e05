import { type OperationId, problem, type Route, type Routes, routes } from '@posthorn/contract'
import { CommandError } from './command-error.ts'
import type { Connection } from './connection.ts'

/** What an operation answers, by the contract. */
export type Answer<Id extends OperationId> = Routes[Id]['success'] extends {
  schema: { parse(value: unknown): infer Value }
}
  ? Value
  : undefined

/** What an operation takes, by the contract. */
export interface Call<Id extends OperationId> {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: Routes[Id] extends { body: { schema: { _zod: { input: infer Input } } } } ? Input : never
}

const answerTimeoutMs = 30_000

/**
 * Calls one operation of the running service.
 * @throws CommandError with what to do, when nobody answers or the answer is a refusal
 */
export async function callApi<Id extends OperationId>(
  connection: Connection,
  id: Id,
  call: Call<Id> = {},
): Promise<Answer<Id>> {
  const route: Route = routes[id]
  const response = await send(connection, route, call)
  const text = await response.text()
  const json = parseJson(text)
  if (!response.ok) throw refusal(connection, response, json)
  if (route.success.schema === undefined) return undefined as Answer<Id>
  const parsed = route.success.schema.safeParse(json)
  // parsed by the very schema that Answer is derived from
  if (response.status === route.success.status && parsed.success) return parsed.data as Answer<Id>
  throw new CommandError('unexpected_answer', `what answers at ${connection.url} is not this Posthorn's API`)
}

/** Every item of a list, page after page. */
export async function everyPage<Item>(
  fetchPage: (query: Record<string, string>) => Promise<{ data: Item[]; next_cursor: string | null }>,
): Promise<Item[]> {
  const items: Item[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await fetchPage({ limit: '250', ...(cursor !== '' && { cursor }) })
    items.push(...page.data)
    cursor = page.next_cursor
  }
  return items
}

async function send(connection: Connection, route: Route, call: Call<OperationId>): Promise<Response> {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(call.params?.[name] ?? ''),
  )
  const query = call.query === undefined ? '' : `?${new URLSearchParams(call.query)}`
  try {
    return await fetch(connection.url + path + query, {
      method: route.method,
      headers: {
        authorization: `Bearer ${connection.credential}`,
        ...(call.body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(answerTimeoutMs),
    })
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    throw new CommandError(
      'service_unreachable',
      `no service answers at ${connection.url} (${describe(cause)}); start it with posthorn start, or name another with --url or POSTHORN_URL`,
      { cause: error },
    )
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}

function refusal(connection: Connection, response: Response, json: unknown): CommandError {
  const parsed = problem.safeParse(json)
  if (response.status === 401) {
    return new CommandError(
      'unauthorized',
      `the service at ${connection.url} does not know ${connection.credentialName}: it was revoked, has expired, or belongs to another service`,
    )
  }
  if (!parsed.success) {
    return new CommandError(
      'unexpected_answer',
      `the service at ${connection.url} answered ${response.status}`,
    )
  }
  const { code, detail, errors = [] } = parsed.data
  const fields = errors.map(({ path, message }) => `${path} ${message}`)
  return new CommandError(code, `${[detail, ...fields].join('; ')} (${code})`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
