/**
 * Array parameters of numbers in PostgreSQL's binary form, as its `array_recv` reads them: as text they take both sides longer
 * to write and to read. No element is null. Ids are better as text (`array-literal.ts`): they are text already.
 */

/** For `smallint[]`. */
export function int2Array(values: readonly number[]): Buffer {
  const array = begin(21, 2, values.length)
  let at = firstElement
  for (const value of values) {
    array.setInt32(at, 2)
    array.setInt16(at + 4, value)
    at += 6
  }
  return whole(array)
}

/** For `int[]`. */
export function int4Array(values: readonly number[]): Buffer {
  const array = begin(23, 4, values.length)
  let at = firstElement
  for (const value of values) {
    array.setInt32(at, 4)
    array.setInt32(at + 4, value)
    at += 8
  }
  return whole(array)
}

/** For `bigint[]`. */
export function int8Array(values: readonly bigint[]): Buffer {
  const array = begin(20, 8, values.length)
  let at = firstElement
  for (const value of values) {
    array.setInt32(at, 8)
    array.setBigInt64(at + 4, value)
    at += 12
  }
  return whole(array)
}

/** For `real[]`. */
export function float4Array(values: readonly number[]): Buffer {
  const array = begin(700, 4, values.length)
  let at = firstElement
  for (const value of values) {
    array.setInt32(at, 4)
    array.setFloat32(at + 4, value)
    at += 8
  }
  return whole(array)
}

/** For `float8[]`. */
export function float8Array(values: readonly number[]): Buffer {
  const array = begin(701, 8, values.length)
  let at = firstElement
  for (const value of values) {
    array.setInt32(at, 8)
    array.setFloat64(at + 4, value)
    at += 12
  }
  return whole(array)
}

/** Behind the number of dimensions, whether there are nulls, the type, the number of elements and the first one's place. */
const firstElement = 20

/** An array of so many elements that take so many bytes each. @param type its OID, the same on every server */
function begin(type: number, bytesEach: number, count: number): DataView {
  const isEmpty = count === 0
  const array = new DataView(new ArrayBuffer(isEmpty ? 12 : firstElement + count * (4 + bytesEach)))
  array.setInt32(0, isEmpty ? 0 : 1)
  array.setInt32(8, type)
  if (isEmpty) return array
  array.setInt32(12, count)
  array.setInt32(16, 1)
  return array
}

function whole(array: DataView): Buffer {
  return Buffer.from(array.buffer)
}
