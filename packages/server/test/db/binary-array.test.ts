import {
  array,
  assert,
  asyncProperty,
  bigInt,
  double,
  float,
  integer,
  option,
  string,
  uuid,
} from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  float4Array,
  float8Array,
  int2Array,
  int4Array,
  int8Array,
  textArray,
  uuidArray,
} from '../../src/db/binary-array.ts'
import type { Database } from '../../src/db/database.ts'
import { allBackends, openTestDatabase } from '../support/test-database.ts'

const finite = { noNaN: true, noDefaultInfinity: true }

describe.each(allBackends())('binary arrays on $name', backend => {
  let db: Database
  beforeAll(async () => {
    db = await openTestDatabase(backend)
  })
  afterAll(async () => {
    await db[Symbol.asyncDispose]()
  })

  async function elementsOf(type: string, parameter: Buffer): Promise<Array<string | null>> {
    const rows = await db.query<{ element: string | null }>(
      `select element::text from unnest($1::${type}[]) with ordinality as t (element, n) order by n`,
      [parameter],
    )
    return rows.map(({ element }) => element)
  }

  test.each([
    ['smallint', int2Array, integer({ min: -(2 ** 15), max: 2 ** 15 - 1 }), Number],
    ['int', int4Array, integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), Number],
    // PostgreSQL prints only as many digits as a `real` needs to be unique
    ['real', float4Array, float(finite), (text: string) => Math.fround(Number(text))],
    ['float8', float8Array, double(finite), Number],
  ] as const)('%s[] returns unchanged at any length', async (type, arrayOf, element, read) => {
    await assert(
      asyncProperty(array(element, { maxLength: 50 }), async values => {
        expect((await elementsOf(type, arrayOf(values))).map(text => read(text ?? ''))).toEqual(values)
      }),
    )
  })

  test('bigint[] arrives unchanged, however long', async () => {
    const element = bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    await assert(
      asyncProperty(array(element, { maxLength: 50 }), async values => {
        expect((await elementsOf('bigint', int8Array(values))).map(text => BigInt(text ?? ''))).toEqual(
          values,
        )
      }),
    )
  })

  test('text[] arrives unchanged, including nulls', async () => {
    // PostgreSQL cannot store the character 0
    const element = option(string({ unit: 'binary' }).map(text => text.replaceAll('\0', '')))
    await assert(
      asyncProperty(array(element, { maxLength: 50 }), async values => {
        expect(await elementsOf('text', textArray(values))).toEqual(values)
      }),
    )
  })

  test('uuid[] arrives unchanged, however long', async () => {
    await assert(
      asyncProperty(array(uuid(), { maxLength: 50 }), async values => {
        expect(await elementsOf('uuid', uuidArray(values))).toEqual(values)
      }),
    )
  })
})

test('a value that is not as long as a UUID is rejected before it is sent', () => {
  expect(() => uuidArray(['0190b0e6-0000-7000-8000-000000000000', ''])).toThrow('not a UUID')
})
