import { expect, test } from 'vitest'
import { SettingReader } from './setting-reader.ts'

test('a setting that is not UTF-8 stops the start, and its value is not told', () => {
  // as Node reads the byte 0xff
  const reader = new SettingReader({ POSTHORN_DATA_DIR: '/var/lib/posthorn-\ufffd' })
  expect(() => reader.text('POSTHORN_DATA_DIR')).toThrow(/^POSTHORN_DATA_DIR must be UTF-8$/)
  expect(new SettingReader({ POSTHORN_DATA_DIR: ' /var/lib/é ' }).text('POSTHORN_DATA_DIR')).toBe(
    '/var/lib/é',
  )
})
