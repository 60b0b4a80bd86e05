import type { Route, Routes } from '@posthorn/contract'
import type { Credentials } from './credentials.ts'
import { operations } from './operations.ts'
import { ApiProblem, OfflineError } from './problem.ts'
import type { Silence } from './silence.ts'

export type Operation = keyof typeof operations

/** The answer of an operation by the contract; undefined if the answer has no body. Text to send is CSV. */
export type Answer<Id extends Operation> = Said<Routes[Id]['success']> | DryRun<Routes[Id]>

/** The input of an operation by the contract. */
export type Input<Id extends Operation> = ParamsOf<Routes[Id]> &
  QueryOf<Routes[Id]> &
  BodyOf<Routes[Id]> & { readonly signal?: AbortSignal | undefined }

/**
 * Calls an operation of the API.
 * @throws ApiProblem when the service refuses, OfflineError when it does not answer
 */
export type Call = <Id extends Operation>(
  operation: Id,
  ...input: Record<never, never> extends Input<Id> ? [input?: Input<Id>] : [input: Input<Id>]
) => Promise<Answer<Id>>

type Said<S> = S extends { readonly schema: { readonly _zod: { readonly output: infer Output } } }
  ? Output
  : S extends { readonly mediaType: 'text/csv' }
    ? Blob
    : undefined
type DryRun<R extends Route> = R extends { readonly dryRun: infer S } ? Said<S> : never
type ParamsOf<R extends Route> = R extends { readonly params: infer Params }
  ? { readonly params: { readonly [Name in keyof Params]: string } }
  : { readonly params?: never }
type QueryOf<R extends Route> = R extends {
  readonly query: { readonly _zod: { readonly output: infer Query } }
}
  ? { readonly query?: { readonly [Name in keyof Query]?: QueryValue } }
  : { readonly query?: never }
type BodyOf<R extends Route> = R extends {
  readonly body: { readonly schema: { readonly _zod: { readonly input: infer Body } } }
}
  ? { readonly body: Body }
  : { readonly body?: never }
/** Several values of a filter are an array; an empty text means no filter. */
type QueryValue = string | number | readonly string[] | undefined

interface AnyInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, QueryValue>>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** Makes `call`, which takes the current `credentials` for each request and waits during `silence`. */
export function createCall(credentials: Credentials, silence: Silence): Call {
  const call = async (operation: Operation, input: AnyInput = {}): Promise<unknown> => {
    const [method = 'GET', path = ''] = operations[operation].split(' ')
    const { body, signal } = input
    if (method === 'GET') await silence.over(signal)
    const { generation } = credentials
    const request: RequestInit = {
      method,
      headers: {
        ...credentials.headersFor(method),
        ...(body !== undefined && {
          'content-type': typeof body === 'string' ? 'text/csv' : 'application/json',
        }),
      },
      credentials: 'same-origin',
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    }
    const response = await fetch(addressOf(path, input), request).catch((error: unknown) => {
      throw signal?.aborted === true ? error : new OfflineError(navigator.onLine)
    })
    if (response.status === 401) credentials.end(generation)
    if (!response.ok) throw await ApiProblem.from(response)
    credentials.noteUse()
    if (response.status === 204) return undefined
    return response.headers.get('content-type')?.startsWith('text/csv') === true
      ? await response.blob()
      : await response.json()
  }
  // the only cast: the service answers what the contract says
  return call as Call
}

function addressOf(path: string, { params = {}, query = {} }: AnyInput): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  )
  return given.length === 0 ? filled : `${filled}?${new URLSearchParams(given)}`
}
