import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeCursor, encodeCursor } from '../../src/domain/cursor.ts'
import { normalEmailAddress } from '../../src/domain/email-address.ts'
import { parseTypeId, typeId } from '../../src/domain/type-id.ts'
import { createUuidV7, firstUuidV7At, uuidV7Ms } from '../../src/domain/uuid-v7.ts'

test('a TypeID converts to its UUID and back', () => {
  // from the examples of the TypeID specification
  expect(typeId('wh', '01890a5d-ac96-774b-bcce-b302099a8057')).toBe('wh_01h455vb4pex5vsknk084sn02q')
  expect(typeId('wh', '00000000-0000-0000-0000-000000000000')).toBe('wh_00000000000000000000000000')
  expect(typeId('wh', 'ffffffff-ffff-ffff-ffff-ffffffffffff')).toBe('wh_7zzzzzzzzzzzzzzzzzzzzzzzzz')
  fc.assert(
    fc.property(fc.uuid(), uuid => {
      expect(parseTypeId('evt', typeId('evt', uuid))).toBe(uuid)
    }),
  )
})

test('anything but a TypeID of the expected kind is rejected', () => {
  const good = typeId('wh', '01890a5d-ac96-774b-bcce-b302099a8057')
  const bad = [
    '',
    'wh_',
    good.slice(3),
    good.toUpperCase(),
    `${good}0`,
    good.slice(0, -1),
    good.replace('wh_', 'whk_'),
    good.replace('wh_0', 'wh_8'),
    good.replace('q', 'u'),
    good.replace('q', '\0'),
    good.replace('q', 'é'),
  ]
  for (const text of bad) expect(parseTypeId('wh', text), text).toBeNull()
  expect(parseTypeId('wh', good)).toBe('01890a5d-ac96-774b-bcce-b302099a8057')
  fc.assert(fc.property(fc.string(), text => parseTypeId('wh', text) === null))
})

test('ids from one process keep growing while the clock varies by less than ten seconds', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9_000 }), { minLength: 2, maxLength: 200 }), steps => {
      const times = [...steps]
      const next = createUuidV7(
        () => 1_700_000_000_000 + (times.shift() ?? 0),
        length => randomBytes(length),
      )
      const ids = steps.map(() => next())
      expect(ids).toEqual([...new Set(ids)].toSorted())
    }),
  )
})

test('ids keep growing when the counter overflows within a millisecond', () => {
  const next = createUuidV7(
    () => 1_700_000_000_000,
    length => randomBytes(length),
  )
  const ids = Array.from({ length: 20_000 }, () => next())
  expect(ids).toEqual([...new Set(ids)].toSorted())
  expect(uuidV7Ms(ids.at(-1) ?? '')).toBeLessThan(1_700_000_000_010)
})

test('an id is a UUIDv7 that contains its creation time', () => {
  const next = createUuidV7(
    () => 1_763_707_200_123,
    length => randomBytes(length),
  )
  const id = next()
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(uuidV7Ms(id)).toBe(1_763_707_200_123)
  expect(firstUuidV7At(1_763_707_200_123) < id).toBe(true)
  expect(firstUuidV7At(1_763_707_200_124) > id).toBe(true)
})

test('a time outside the range of ids becomes the first or the last id', () => {
  expect(firstUuidV7At(-5)).toBe('00000000-0000-0000-0000-000000000000')
  expect(firstUuidV7At(Number.MAX_SAFE_INTEGER)).toBe('ffffffff-ffff-0000-0000-000000000000')
})

test('ids follow a clock that is set back by an hour', () => {
  const times = [1_700_003_600_000, 1_700_000_000_000]
  const next = createUuidV7(
    () => times.shift() ?? 0,
    length => randomBytes(length),
  )
  next()
  expect(uuidV7Ms(next())).toBe(1_700_000_000_000)
})

test('a cursor decodes to the encoded values, and anything else decodes to null', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 20 }), { minLength: 1, maxLength: 3 }), values => {
      fc.pre(values.every(value => !value.includes('\0')))
      expect(decodeCursor(encodeCursor(values))).toEqual(values)
    }),
  )
  fc.assert(fc.property(fc.string({ maxLength: 50 }), text => void decodeCursor(text)))
  for (const text of [
    '',
    'x',
    '%00',
    encodeCursor([]),
    encodeCursor(['\0']),
    'e30',
    'bnVsbA',
    'WzFd',
    'a'.repeat(2000),
  ])
    expect(decodeCursor(text), text).toBeNull()
})

test('normalizing an address changes only its domain', () => {
  expect(normalEmailAddress('Ann.B@EXAMPLE.Org')).toBe('Ann.B@example.org')
  expect(normalEmailAddress('"a@b"@EXAMPLE.org')).toBe('"a@b"@example.org')
  expect(normalEmailAddress('ann@MÜNCHEN.de')).toBe('ann@xn--mnchen-3ya.de')
  expect(normalEmailAddress('ann@[IPv6:2001:DB8::1]')).toBe('ann@[ipv6:2001:db8::1]')
  expect(normalEmailAddress('ann@münchen.de/x')).toBe('ann@münchen.de/x')
})
