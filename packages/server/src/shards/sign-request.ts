import { createHash, createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { NamedKey } from '../seal/named-keys.ts'

/** The header by which a shard recognizes the requests of fronts. */
export const frontHeader = 'x-posthorn-front'

/** The header by which a front recognizes the answers of a shard. */
export const shardHeader = 'x-posthorn-shard'

/** How far the clocks of a front and a shard may differ. */
const clockDifferenceMsMax = 60_000

/** What the signature of a request covers. */
export interface SignedRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  /** The digest of the body, or `stream` if the body is not known yet. */
  readonly body: string
  /** The value of `x-forwarded-for`, or an empty string. */
  readonly forwardedFor: string
  /** The operator that the front names, or an empty string. */
  readonly operator: string
  readonly ms: number
}

/** A signed request: the value of its header, and what verifies the answer. */
export interface RequestSignature {
  readonly header: string
  readonly key: NamedKey
  readonly mac: string
}

/** The digest of a body for the signature. A missing body counts as an empty one. */
export function bodyDigest(body: Uint8Array | null): string {
  return body === null || body.length === 0 ? emptyDigest : createHash('sha256').update(body).digest('hex')
}

/** Signs a request: `<key id>;<ms>;<body>;<mac>`. The body's digest is in the header so that a shard can check it at once. */
export function signRequest(request: SignedRequest, key: NamedKey): RequestSignature {
  const mac = requestMac(request, key)
  return { header: `${key.id};${request.ms};${request.body};${mac}`, key, mac }
}

/** Why a shard refuses a request. */
export type SignatureFlaw = 'missing' | 'malformed' | 'unknown_key' | 'wrong' | 'stale'

/**
 * Verifies the header of a request, without its body: that must still have the digest in `body`, unless that is `stream`.
 */
export function verifyRequest(
  header: string | undefined,
  request: Omit<SignedRequest, 'body' | 'ms'>,
  { keys, nowMs }: { keys: readonly NamedKey[]; nowMs: number },
): { signature: RequestSignature; body: string } | { flaw: SignatureFlaw } {
  if (header === undefined) return { flaw: 'missing' }
  const [, id, digits = '', body = '', mac = ''] = headerForm.exec(header) ?? []
  if (id === undefined) return { flaw: 'malformed' }
  const key = keys.find(one => one.id === id)
  if (key === undefined) return { flaw: 'unknown_key' }
  const ms = Number(digits)
  if (!isSame(mac, requestMac({ ...request, body, ms }, key))) return { flaw: 'wrong' }
  if (Math.abs(nowMs - ms) > clockDifferenceMsMax) return { flaw: 'stale' }
  return { signature: { header, key, mac }, body }
}

/** Signs an answer for the front that sent this request: `<shard number>;<mac>`. */
export function signAnswer(request: RequestSignature, status: number, shard: number): string {
  return `${shard};${answerMac(request, status, shard)}`
}

/** The number of the shard that signed the answer to this request; null if none did. */
export function verifyAnswer(
  header: string | undefined,
  request: RequestSignature,
  status: number,
): number | null {
  const [, digits, mac = ''] = /^(\d{1,3});([0-9a-f]{64})$/.exec(header ?? '') ?? []
  if (digits === undefined) return null
  return isSame(mac, answerMac(request, status, Number(digits))) ? Number(digits) : null
}

const emptyDigest = createHash('sha256').digest('hex')

const headerForm = /^([A-Za-z0-9_.-]{1,64});(\d{1,15});([0-9a-f]{64}|stream);([0-9a-f]{64})$/

function requestMac(
  { method, path, body, forwardedFor, operator, ms }: SignedRequest,
  key: NamedKey,
): string {
  const vouched = operator === '' ? '' : `\n${operator}`
  return mac(key, `front\n${method}\n${path}\n${body}\n${forwardedFor}\n${ms}${vouched}`)
}

function answerMac(request: RequestSignature, status: number, shard: number): string {
  return mac(request.key, `shard\n${request.mac}\n${status}\n${shard}`)
}

function mac(key: NamedKey, text: string): string {
  return createHmac('sha256', secretKeyOf(key)).update(text).digest('hex')
}

/** Creating an HMAC from bytes costs seven times as much as from a key object. */
function secretKeyOf(named: NamedKey): KeyObject {
  const known = secretKeys.get(named)
  if (known !== undefined) return known
  const created = createSecretKey(named.key)
  secretKeys.set(named, created)
  return created
}

const secretKeys = new WeakMap<NamedKey, KeyObject>()

/** In constant time; both have the length of a mac. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
