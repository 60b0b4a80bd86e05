/**
 * Array parameters in PostgreSQL's binary form, as its `array_recv` reads them: in its text form, numbers take both sides
 * longer to write and to read, ids and texts the database. No element is null, but of texts.
 *
 * Each type has a loop of its own: one for all of them meets more kinds of arrays than the runtime keeps apart, and takes, by
 * the order in which it met them, as long in one process and thirty times as long in another.
 */

/** For `smallint[]`. */
export function int2Array(values: readonly number[]): Buffer {
  const view = headed(21, values.length * 2, values.length)
  let at = headBytes
  for (const value of values) {
    view.setInt32(at, 2)
    view.setInt16(at + lengthBytes, value)
    at += lengthBytes + 2
  }
  return Buffer.from(view.buffer)
}

/** For `int[]`. */
export function int4Array(values: readonly number[]): Buffer {
  const view = headed(23, values.length * 4, values.length)
  let at = headBytes
  for (const value of values) {
    view.setInt32(at, 4)
    view.setInt32(at + lengthBytes, value)
    at += lengthBytes + 4
  }
  return Buffer.from(view.buffer)
}

/** For `bigint[]`. */
export function int8Array(values: readonly bigint[]): Buffer {
  const view = headed(20, values.length * 8, values.length)
  let at = headBytes
  for (const value of values) {
    view.setInt32(at, 8)
    view.setBigInt64(at + lengthBytes, value)
    at += lengthBytes + 8
  }
  return Buffer.from(view.buffer)
}

/** For `real[]`. */
export function float4Array(values: readonly number[]): Buffer {
  const view = headed(700, values.length * 4, values.length)
  let at = headBytes
  for (const value of values) {
    view.setInt32(at, 4)
    view.setFloat32(at + lengthBytes, value)
    at += lengthBytes + 4
  }
  return Buffer.from(view.buffer)
}

/** For `float8[]`. */
export function float8Array(values: readonly number[]): Buffer {
  const view = headed(701, values.length * 8, values.length)
  let at = headBytes
  for (const value of values) {
    view.setInt32(at, 8)
    view.setFloat64(at + lengthBytes, value)
    at += lengthBytes + 8
  }
  return Buffer.from(view.buffer)
}

/**
 * For `uuid[]`. The ids are copied as one text, and read from its bytes: one by one they take several times as long.
 *
 * @param ids UUIDs in their usual form of 36 characters
 * @throws Error when one is not as long as that
 */
export function uuidArray(ids: readonly string[]): Buffer {
  const text = Buffer.from(ids.join(''), 'latin1')
  if (text.length !== ids.length * uuidLength) throw new Error('an id is no UUID')
  const array = Buffer.from(headed(2950, ids.length * 16, ids.length).buffer)
  for (let from = 0, at = headBytes + lengthBytes - 1; from < text.length; from += uuidLength) {
    array[at++] = 16
    for (const pair of uuidPairs) {
      array[at++] = (bitsOf(text[from + pair] ?? 0) << 4) | bitsOf(text[from + pair + 1] ?? 0)
    }
    at += lengthBytes - 1
  }
  return array
}

/** For `text[]`, with null for what is missing. */
export function textArray(values: ReadonlyArray<string | null>): Buffer {
  const bytes = values.reduce((sum, value) => sum + (value === null ? 0 : Buffer.byteLength(value)), 0)
  const array = Buffer.from(headed(25, bytes, values.length).buffer)
  let at = headBytes
  for (const value of values) {
    const length = value === null ? missing : array.write(value, at + lengthBytes)
    array.writeInt32BE(length, at)
    at += lengthBytes + Math.max(length, 0)
  }
  return array
}

/** In the place of its length, where an element is null. */
const missing = -1

const uuidLength = 36

/** The four bits of a hexadecimal digit: letters lie behind 64 and begin with one, digits end with their value. */
function bitsOf(digit: number): number {
  return (digit & 15) + 9 * (digit >> 6)
}

/** Where its bytes' two digits stand in a UUID. */
const uuidPairs = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]

/** Behind the number of dimensions, whether there are nulls, the type, the number of elements and the first one's place. */
const headBytes = 20
const emptyBytes = 12
const lengthBytes = 4

/**
 * The head of an array of `count` elements, and zeros where they and their lengths are to stand.
 * @param type the OID of the elements' type, the same on every server
 */
function headed(type: number, bytes: number, count: number): DataView<ArrayBuffer> {
  const isEmpty = count === 0
  const array = new DataView(new ArrayBuffer(isEmpty ? emptyBytes : headBytes + count * lengthBytes + bytes))
  array.setInt32(0, isEmpty ? 0 : 1)
  array.setInt32(8, type)
  if (!isEmpty) {
    array.setInt32(12, count)
    array.setInt32(16, 1)
  }
  return array
}
