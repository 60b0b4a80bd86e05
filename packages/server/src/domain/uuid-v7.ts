import { nibbles } from './hex-nibbles.ts'

/**
 * Creates a generator of UUIDv7 in canonical text. Each id is greater than the one before, even within a millisecond and
 * after the clock was set back a little.
 *
 * The twelve bits after the time are a counter within the millisecond with a random start below 256. If it overflows, the time
 * runs one millisecond ahead of the clock. The other 62 bits are random.
 *
 * @example
 * const newId = createUuidV7(() => Date.now(), length => crypto.getRandomValues(new Uint8Array(length)))
 * newId()
 */
export function createUuidV7(nowMs: () => number, bytes: (length: number) => Uint8Array): () => string {
  let timeMs = -1
  let counter = 0
  let pool: Uint8Array = new Uint8Array()
  let used = 0
  /** A reused buffer, because concatenated strings take more memory and copying. */
  const text = Buffer.alloc(uuidLength, '-')

  return () => {
    if (used === pool.length) {
      pool = bytes(poolBytes)
      used = 0
    }
    const now = Math.floor(nowMs())
    const isLater = now > timeMs || now < timeMs - setBackMsMax
    if (isLater || ++counter > 0xfff) {
      timeMs = isLater ? now : timeMs + 1
      counter = pool[used] ?? 0
      writeTime(text, timeMs)
    }
    writeByte(text, 14, 0x70 | (counter >>> 8))
    writeByte(text, 16, counter & 0xff)
    writeByte(text, 19, 0x80 | ((pool[used + 1] ?? 0) & 0x3f))
    writeByte(text, 21, pool[used + 2] ?? 0)
    for (let n = 0; n < 6; n++) writeByte(text, 24 + 2 * n, pool[used + 3 + n] ?? 0)
    used += bytesEach
    return text.toString('latin1')
  }
}

/** When an id was made, in milliseconds since the epoch. */
export function uuidV7Ms(uuid: string): number {
  return bitsOf(uuid, 0, 8) * 2 ** 16 + bitsOf(uuid, 9, 13)
}

/** The value of at most eight hexadecimal digits. */
function bitsOf(uuid: string, from: number, until: number): number {
  let bits = 0
  for (let at = from; at < until; at++) bits = (bits << 4) | (nibbles[uuid.charCodeAt(at)] ?? 0)
  return bits >>> 0
}

/** The second id with the time of the first. */
export function withTimeOf(uuid: string, other: string): string {
  return uuid.slice(0, timeLength) + other.slice(timeLength)
}

/** Twelve hexadecimal digits and two hyphens. */
const timeLength = 14

/** The least id of a millisecond, to turn a time range into a range of ids. */
export function firstUuidV7At(ms: number): string {
  const clamped = Math.min(Math.max(Math.ceil(ms), 0), 2 ** 48 - 1)
  return `${hexOfTime(clamped)}-0000-0000-000000000000`
}

/** One byte for the start of the counter and eight for the random part. */
const bytesEach = 9
const poolBytes = bytesEach * 512
const uuidLength = 36
/** If the clock jumps back further, it was wrong before, so ids follow it instead of having a wrong day. */
const setBackMsMax = 10_000

function hexOfTime(ms: number): string {
  const text = Buffer.alloc(timeLength - 1, '-')
  writeTime(text, ms)
  return text.toString('latin1')
}

/** Writes the 48 bits of a time as eight digits, a hyphen and four digits. */
function writeTime(text: Uint8Array, ms: number): void {
  const high = Math.floor(ms / 2 ** 16)
  for (let n = 0; n < 4; n++) writeByte(text, 2 * n, (high >>> (24 - 8 * n)) & 0xff)
  writeByte(text, 9, (ms >>> 8) & 0xff)
  writeByte(text, 11, ms & 0xff)
}

function writeByte(text: Uint8Array, at: number, byte: number): void {
  text[at] = hexDigits[byte >>> 4] ?? 0
  text[at + 1] = hexDigits[byte & 15] ?? 0
}

const hexDigits = Uint8Array.from('0123456789abcdef', digit => digit.charCodeAt(0))
