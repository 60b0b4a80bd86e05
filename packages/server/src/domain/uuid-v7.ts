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
  let pool: Uint8Array = new Uint8Array(0)
  let used = 0

  return () => {
    if (used + bytesEach > pool.length) {
      pool = bytes(poolBytes)
      used = 0
    }
    const now = Math.floor(nowMs())
    if (now > timeMs || now < timeMs - setBackMsMax) {
      timeMs = now
      counter = pool[used] ?? 0
      timeText = hexOfTime(timeMs)
    } else if (++counter > 0xfff) {
      timeMs += 1
      counter = pool[used] ?? 0
      timeText = hexOfTime(timeMs)
    }
    const text = `${timeText}-${hexPairs[0x70 | (counter >> 8)]}${hexPairs[counter & 255]}-${tail(pool, used + 1)}`
    used += bytesEach
    return text
  }
}

/** When an id was made, in milliseconds since the epoch. */
export function uuidV7Ms(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)
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
const poolBytes = bytesEach * 512
/** A clock that jumps back further was wrong before: following it beats stamping ids with a false day. */
const setBackMsMax = 10_000

const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hexOfTime(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

function tail(pool: Uint8Array, at: number): string {
  const pair = (i: number): string => hexPairs[pool[at + i] ?? 0] ?? ''
  const variant = hexPairs[0x80 | ((pool[at] ?? 0) & 0x3f)] ?? ''
  return `${variant}${pair(1)}-${pair(2)}${pair(3)}${pair(4)}${pair(5)}${pair(6)}${pair(7)}`
}
