/**
 * Array parameters of numbers in PostgreSQL's binary form, as its `array_recv` reads them: as text they take both sides longer
 * to write and to read. No element is null. Ids are better as text (`array-literal.ts`): they are text already.
 */

/** For `smallint[]`. */
export function int2Array(values: readonly number[]): Buffer {
  return arrayOf(21, 2, values, (into, at, value) => into.setInt16(at, value))
}

/** For `int[]`. */
export function int4Array(values: readonly number[]): Buffer {
  return arrayOf(23, 4, values, (into, at, value) => into.setInt32(at, value))
}

/** For `bigint[]`. */
export function int8Array(values: readonly bigint[]): Buffer {
  return arrayOf(20, 8, values, (into, at, value) => into.setBigInt64(at, value))
}

/** For `real[]`. */
export function float4Array(values: readonly number[]): Buffer {
  return arrayOf(700, 4, values, (into, at, value) => into.setFloat32(at, value))
}

/** For `float8[]`. */
export function float8Array(values: readonly number[]): Buffer {
  return arrayOf(701, 8, values, (into, at, value) => into.setFloat64(at, value))
}

/** Behind the number of dimensions, whether there are nulls, the type, the number of elements and the first one's place. */
const headBytes = 20
const emptyBytes = 12
const lengthBytes = 4

/** @param type the OID of the elements' type, the same on every server */
function arrayOf<Value>(
  type: number,
  bytesEach: number,
  values: readonly Value[],
  write: (into: DataView, at: number, value: Value) => void,
): Buffer {
  const isEmpty = values.length === 0
  const array = new DataView(
    new ArrayBuffer(isEmpty ? emptyBytes : headBytes + values.length * (lengthBytes + bytesEach)),
  )
  array.setInt32(0, isEmpty ? 0 : 1)
  array.setInt32(8, type)
  if (!isEmpty) {
    array.setInt32(12, values.length)
    array.setInt32(16, 1)
  }
  let at = headBytes
  for (const value of values) {
    array.setInt32(at, bytesEach)
    write(array, at + lengthBytes, value)
    at += lengthBytes + bytesEach
  }
  return Buffer.from(array.buffer)
}
