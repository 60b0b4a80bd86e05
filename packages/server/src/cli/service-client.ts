import {
  ApiProblem,
  type Client,
  createClient,
  IncompleteListError,
  UnexpectedAnswerError,
} from '@posthorn/client'
import { calledAs } from './called-as.ts'
import type { Command } from './command.ts'
import { CommandError } from './command-error.ts'
import { type Connection, customerOptions } from './connection.ts'

/** The API client of a command. With describeServiceError, its errors say what to do. */
export function serviceClient(connection: Connection): Client {
  const { url, credential } = connection
  return createClient({ url, credential, fetch: serviceFetch(connection) })
}

/** The global fetch, but network errors and unknown credentials become errors that say what to do. */
export function serviceFetch({ url, credentialName }: Connection): typeof fetch {
  return async (input, init) => {
    let response: Response
    try {
      response = await fetch(input, init)
    } catch (error) {
      throw unreachable(url, error)
    }
    if (response.status !== 401) return response
    throw new CommandError(
      'unauthorized',
      `the service at ${url} does not accept ${credentialName}: it is revoked, is expired, or belongs to another service`,
    )
  }
}

/**
 * Turns an error of the service into one line without repetition; returns any other error unchanged.
 *
 * @param command its options stand for the fields of the request that have the same name
 */
export function describeServiceError(error: unknown, command: Pick<Command, 'options'> = {}): unknown {
  if (error instanceof ApiProblem) {
    const message = `${whatIsWrong(error, Object.keys(command.options ?? {}))} (${error.code})`
    return new CommandError(error.code, message, { cause: error })
  }
  if (error instanceof IncompleteListError) {
    return new CommandError('shard_unavailable', error.message, { cause: error })
  }
  if (error instanceof UnexpectedAnswerError) {
    return new CommandError(
      'unexpected_answer',
      `the answer is not from this Posthorn API: ${error.message}`,
      {
        cause: error,
      },
    )
  }
  return error
}

function whatIsWrong({ message: whole, errors }: ApiProblem, options: readonly string[]): string {
  const named = errors.map(({ path, message }) => {
    const option = path.split('/')[1]?.replaceAll('_', '-') ?? ''
    const isField = options.includes(option) && !(option in customerOptions)
    return { isField, message, text: `${isField ? `--${option}` : path} ${message}` }
  })
  if (named.length > 0 && named.every(({ isField }) => isField))
    return named.map(({ text }) => text).join('; ')
  const others = named.filter(({ message }) => !whole.includes(message)).map(({ text }) => text)
  return others.length === 0 ? whole : [whole.replace(/\.$/, ''), ...others].join('; ')
}

function unreachable(url: string, error: unknown): CommandError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
  return new CommandError(
    'service_unreachable',
    `no service answers at ${url} (${code}): start it with ${calledAs()} start, or set another URL with --url or POSTHORN_URL`,
    { cause: error },
  )
}
