import { expect, test } from 'vitest'
import { settingText } from './read-settings.ts'

test('a setting that is not UTF-8 stops the start, and its value is not told', () => {
  // as Node reads the byte 0xff
  const env = { POSTHORN_DATA_DIR: '/var/lib/posthorn-\ufffd' }
  expect(() => settingText(env, 'POSTHORN_DATA_DIR')).toThrow(/^POSTHORN_DATA_DIR must be UTF-8$/)
  expect(settingText({ POSTHORN_DATA_DIR: ' /var/lib/é ' }, 'POSTHORN_DATA_DIR')).toBe('/var/lib/é')
})
