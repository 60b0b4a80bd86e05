import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readLogoImage } from './logo-image.ts'

const bytes = (...parts: readonly (string | number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap(part => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : part)))

const png = (width: number, height: number, extra = ''): Uint8Array => {
  const size = Buffer.alloc(8)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  return bytes('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [...size, 8, 6, 0, 0, 0, 1, 2, 3, 4], extra)
}
const jpeg = (marker: number): Uint8Array =>
  bytes('\xff\xd8\xff\xe0\0\x04ab', [0xff, marker, 0, 11, 8, 0x01, 0x2c, 0x02, 0x58, 1, 0, 0, 0], '\xff\xd9')
const webp = (kind: string, rest: number[]): Uint8Array =>
  bytes(
    'RIFF\0\0\0\0WEBP',
    kind,
    [0, 0, 0, 0],
    rest,
    Array.from({ length: 16 }, () => 0),
  )

test.each([
  ['a PNG', png(300, 100), { mediaType: 'image/png', width: 300, height: 100 }],
  ['a JPEG', jpeg(0xc0), { mediaType: 'image/jpeg', width: 600, height: 300 }],
  ['a progressive JPEG', jpeg(0xc2), { mediaType: 'image/jpeg', width: 600, height: 300 }],
  [
    'a lossy WebP',
    webp('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, 0x20, 0x01, 0x40, 0x00]),
    { mediaType: 'image/webp', width: 288, height: 64 },
  ],
  [
    'a lossless WebP',
    webp('VP8L', [0x2f, 0x1f, 0xc1, 0x0f, 0x00]),
    { mediaType: 'image/webp', width: 288, height: 64 },
  ],
  [
    'a WebP with transparency',
    webp('VP8X', [0x10, 0, 0, 0, 0x1f, 0x01, 0, 0x3f, 0, 0]),
    { mediaType: 'image/webp', width: 288, height: 64 },
  ],
])('%s is accepted with its size', (_, file, expected) => {
  expect(readLogoImage(file)).toEqual(expected)
})

test.each([
  ['nothing', bytes(), 'must be a PNG, JPEG or WebP image'],
  ['SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'must be a PNG, JPEG or WebP image'],
  ['HTML', bytes('<script>alert(1)</script>'), 'must be a PNG, JPEG or WebP image'],
  ['a GIF', bytes('GIF89a\x01\0\x01\0'), 'must be a PNG, JPEG or WebP image'],
  ['half a PNG', png(300, 100).slice(0, 20), 'must be a PNG, JPEG or WebP image'],
  ['a JPEG without a picture', bytes('\xff\xd8\xff\xd9'), 'must be a PNG, JPEG or WebP image'],
  ['a WAV file', bytes('RIFF\0\0\0\0WAVEfmt ', Array(40).fill(0)), 'must be a PNG, JPEG or WebP image'],
  ['an animated PNG', png(9, 9, '\0\0\0\x08acTL\0\0\0\x02\0\0\0\0abcd'), 'must not be animated'],
  ['an animated WebP', webp('VP8X', [0x02, 0, 0, 0, 9, 0, 0, 9, 0, 0]), 'must not be animated'],
  ['a wide picture', png(1025, 1), 'must not be wider or higher than 1,024 pixels'],
  ['a PNG without pixels', png(0, 10), 'must not be wider or higher than 1,024 pixels'],
  ['a decompression bomb', png(0xffffffff, 0xffffffff), 'must not be wider or higher than 1,024 pixels'],
  ['a large file', new Uint8Array(65_537), 'must not be larger than 65,536 bytes'],
])('%s is refused', (_, file, flaw) => {
  expect(readLogoImage(file)).toEqual({ flaw })
})

test('no bytes make it fail or run on', () => {
  const heads = fc.constantFrom(...[png(9, 9), jpeg(0xc0), webp('VP8X', [0, 0])].map(one => [...one]))
  const anything = fc.tuple(heads, fc.nat(40), fc.uint8Array({ maxLength: 300 }))
  fc.assert(
    fc.property(anything, ([head, kept, rest]) => {
      expect(readLogoImage(Uint8Array.from([...head.slice(0, kept), ...rest]))).toBeTypeOf('object')
    }),
  )
})
