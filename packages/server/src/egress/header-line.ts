import { foldHeaderName } from '../domain/request-headers.ts'

/** The request names a header that could change where it ends, or holds what no header may hold. */
class UnsendableRequest extends Error {
  override readonly name = 'UnsendableRequest'
}

const fieldName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/
/** What says how a connection is used and where a message ends is said by `requestBytes` alone. */
const reserved = /^(?:host|connection|content-length|transfer-encoding|expect|keep-alive|upgrade|te|trailer)$/

/**
 * A header as it goes over the wire, behind the line before it (RFC 9110 §5.5, RFC 9112 §5).
 * @throws UnsendableRequest
 */
export function headerLine(name: string, value: string | undefined): string {
  const beginning = beginnings.get(name) ?? beginningOf(name)
  if (value === undefined || beginning === null || !fieldValue.test(value)) {
    throw new UnsendableRequest(`the header ${JSON.stringify(name)} may not be sent`)
  }
  return beginning + value
}

/** How the line of a header begins; null when it may not be sent. */
function beginningOf(name: string): string | null {
  if (!fieldName.test(name) || reserved.test(foldHeaderName(name))) return null
  const beginning = `\r\n${name}: `
  if (beginnings.size < beginningsMax) beginnings.set(name, beginning)
  return beginning
}

/** Of names that were looked at before: most requests have the same. */
const beginnings = new Map<string, string>()
const beginningsMax = 1_000
