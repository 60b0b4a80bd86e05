import { ApiProblem, UnexpectedAnswerError } from '@posthorn/client'
import { problem, type Route } from '@posthorn/contract'
import type { Connection } from './connection.ts'
import { serviceFetch } from './service-client.ts'

export interface RawBody {
  readonly body: string | Uint8Array<ArrayBuffer>
  readonly contentType: string
}

/**
 * Calls an operation without the typed client, for requests and answers that are not JSON.
 * @throws ApiProblem, UnexpectedAnswerError, CommandError
 */
export async function rawRequest(
  connection: Connection,
  { method, path, operationId }: Pick<Route, 'method' | 'path' | 'operationId'>,
  {
    content,
    query = {},
    signal,
  }: { content?: RawBody; query?: Readonly<Record<string, number | string>>; signal?: AbortSignal } = {},
): Promise<Response> {
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  const search = parameters.length === 0 ? '' : `?${parameters.join('&')}`
  const response = await serviceFetch(connection)(connection.url + path + search, {
    method,
    headers: {
      authorization: `Bearer ${Buffer.from(connection.credential).toString('latin1')}`,
      ...(content !== undefined && { 'content-type': content.contentType }),
    },
    ...(content !== undefined && { body: content.body }),
    ...(signal !== undefined && { signal }),
    redirect: 'manual',
  })
  if (response.ok && response.body !== null) return response
  const said = problem.safeParse(await response.json().catch(() => null))
  if (said.success) throw new ApiProblem(said.data)
  throw new UnexpectedAnswerError(
    response.status,
    `the answer to ${operationId} has status ${response.status} and is not a Posthorn error`,
  )
}
