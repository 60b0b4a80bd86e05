import { nibbles } from './hex-nibbles.ts'

/**
 * Makes a generator of UUIDv7 in canonical text, each greater than the one before, also within a millisecond
 * and when the clock is set back a little.
 *
 * Twelve bits after the time count within the millisecond, from a random start in its lower sixteenth; when they
 * run out, the time runs ahead of the clock by one. The other 62 bits are random.
 *
 * @example
 * const newId = createUuidV7(() => Date.now(), length => crypto.getRandomValues(new Uint8Array(length)))
 * newId()
 */
export function createUuidV7(nowMs: () => number, bytes: (length: number) => Uint8Array): () => string {
  let timeMs = -1
  let counter = 0
  let timeText = ''
  let pool = ''
  let used = 0

  return () => {
    if (used === pool.length) {
      pool = hexOf(bytes(poolBytes))
      used = 0
    }
    const now = Math.floor(nowMs())
    if (now > timeMs || now < timeMs - setBackMsMax) {
      timeMs = now
      counter = Number.parseInt(pool.slice(used, used + 2), 16)
      timeText = hexOfTime(timeMs)
    } else if (++counter > 0xfff) {
      timeMs += 1
      counter = Number.parseInt(pool.slice(used, used + 2), 16)
      timeText = hexOfTime(timeMs)
    }
    const version = (0x7000 | counter).toString(16)
    const variant = variants[(nibbles[pool.charCodeAt(used + 2)] ?? 0) & 3]
    const text = `${timeText}-${version}-${variant}${pool.slice(used + 3, used + 6)}-${pool.slice(used + 6, used + digitsEach)}`
    used += digitsEach
    return text
  }
}

/** When an id was made, in milliseconds since the epoch. */
export function uuidV7Ms(uuid: string): number {
  return bitsOf(uuid, 0, 8) * 2 ** 16 + bitsOf(uuid, 9, 13)
}

/** What at most eight digits of it say. */
function bitsOf(uuid: string, from: number, until: number): number {
  let bits = 0
  for (let at = from; at < until; at++) bits = (bits << 4) | (nibbles[uuid.charCodeAt(at)] ?? 0)
  return bits >>> 0
}

/** The second id, as if it had been made in the millisecond of the first. */
export function withTimeOf(uuid: string, other: string): string {
  return uuid.slice(0, timeLength) + other.slice(timeLength)
}

/** Twelve digits and two hyphens. */
const timeLength = 14

/** The least id of a millisecond, so that a range of time becomes a range of ids. */
export function firstUuidV7At(ms: number): string {
  const clamped = Math.min(Math.max(Math.ceil(ms), 0), 2 ** 48 - 1)
  return `${hexOfTime(clamped)}-0000-0000-000000000000`
}

/** One byte for the counter's start and eight for the random tail. */
const bytesEach = 9
const digitsEach = 2 * bytesEach
const poolBytes = bytesEach * 512
/** A clock that jumps back further was wrong before: following it beats stamping ids with a false day. */
const setBackMsMax = 10_000

/** First digit of the tail: two bits that are always the same, and two random ones. */
const variants = ['8', '9', 'a', 'b']

function hexOfTime(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')
}
