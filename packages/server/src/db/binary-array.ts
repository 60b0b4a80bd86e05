/*
 * Array parameters in PostgreSQL's binary form, as `array_recv` reads them, because the text form takes longer to write and
 * to parse. Only `textArray` may contain null.
 *
 * Each type has its own loop: V8 cannot optimize one loop for all of them, which can make it many times slower.
 */

/** For `smallint[]`. */
export function int2Array(values: readonly number[]): Buffer {
  const view = withHeader(21, values.length * 2, values.length)
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
  const view = withHeader(23, values.length * 4, values.length)
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
  const view = withHeader(20, values.length * 8, values.length)
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
  const view = withHeader(700, values.length * 4, values.length)
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
  const view = withHeader(701, values.length * 8, values.length)
  let at = headBytes
  for (const value of values) {
    view.setInt32(at, 8)
    view.setFloat64(at + lengthBytes, value)
    at += lengthBytes + 8
  }
  return Buffer.from(view.buffer)
}

/**
 * For `uuid[]`. Joins all ids into one buffer first, because reading them one by one takes several times as long.
 *
 * @param ids UUIDs in their usual form of 36 characters
 * @throws Error if an id has another length
 */
export function uuidArray(ids: readonly string[]): Buffer {
  const text = Buffer.from(ids.join(''), 'latin1')
  if (text.length !== ids.length * uuidLength) throw new Error('an id is not a UUID')
  const array = Buffer.from(withHeader(2950, ids.length * 16, ids.length).buffer)
  for (let from = 0, at = headBytes + lengthBytes - 1; from < text.length; from += uuidLength) {
    array[at++] = 16
    for (const pair of uuidPairs) {
      array[at++] = (bitsOf(text[from + pair] ?? 0) << 4) | bitsOf(text[from + pair + 1] ?? 0)
    }
    at += lengthBytes - 1
  }
  return array
}

/** For `text[]`. Elements may be null. */
export function textArray(values: ReadonlyArray<string | null>): Buffer {
  const bytes = values.reduce((sum, value) => sum + (value === null ? 0 : Buffer.byteLength(value)), 0)
  const array = Buffer.from(withHeader(25, bytes, values.length).buffer)
  let at = headBytes
  for (const value of values) {
    const length = value === null ? nullLength : array.write(value, at + lengthBytes)
    array.writeInt32BE(length, at)
    at += lengthBytes + Math.max(length, 0)
  }
  return array
}

/** The length that marks an element as null. */
const nullLength = -1

const uuidLength = 36

/** The value of a hexadecimal digit, from its ASCII code: bit 6 is set for letters only. */
function bitsOf(digit: number): number {
  return (digit & 15) + 9 * (digit >> 6)
}

/** The positions in a UUID of the two digits of each byte. */
const uuidPairs = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]

/** Number of dimensions, null flag, element type, number of elements, first index. An empty array has only the first three. */
const headBytes = 20
const emptyBytes = 12
const lengthBytes = 4

/**
 * A buffer for an array of `count` elements. The header is written; the elements and their lengths are zeros.
 * @param type the OID of the element type, which is the same on every server
 */
function withHeader(type: number, bytes: number, count: number): DataView<ArrayBuffer> {
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
