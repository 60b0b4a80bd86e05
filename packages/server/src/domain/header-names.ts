import { checkRequestHeader, defaultHeaderPrefix } from './request-headers.ts'

/** The names of the headers of an attempt, and of the one that a receiver answers with. */
export interface HeaderNames {
  readonly prefix: string
  readonly signature: string
  readonly eventId: string
  readonly deliveryId: string
  readonly attempt: string
  readonly sequence: string
  readonly verified: string
}

/**
 * The names with a prefix.
 *
 * @example
 * headerNames('X-Acme').signature // 'X-Acme-Signature'
 */
export function headerNames(prefix: string): HeaderNames {
  return {
    prefix,
    signature: `${prefix}-Signature`,
    eventId: `${prefix}-Event-Id`,
    deliveryId: `${prefix}-Delivery-Id`,
    attempt: `${prefix}-Attempt`,
    sequence: `${prefix}-Sequence`,
    verified: `${prefix}-Verified`,
  }
}

const lengthMax = 32

/** Reads `POSTHORN_HEADER_PREFIX`. @throws Error with the reason */
export function parseHeaderPrefix(text: string): string {
  if (text.length > lengthMax || !/^X(-[A-Z][A-Za-z0-9]*)+$/.test(text)) {
    throw new Error(
      `"${text}" is not a prefix such as X-Acme: X, then words that begin with a capital letter, joined by hyphens, at most ${lengthMax} characters`,
    )
  }
  const names = Object.values(headerNames(text))
  if (text !== defaultHeaderPrefix && names.some(name => checkRequestHeader(name, '') !== null)) {
    throw new Error(`${text} is reserved for the connection or proxies; choose another prefix`)
  }
  return text
}
