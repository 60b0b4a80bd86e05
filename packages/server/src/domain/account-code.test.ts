import { assert, integer, property, uuid } from 'fast-check'
import { expect, test } from 'vitest'
import { accountCode, codeOfCredential, codeText, readCodeText, withCode } from './account-code.ts'

const code = integer({ min: 0, max: 0xffff_ffff })

test('a code survives being written as text and as the end of an id', () => {
  assert(
    property(code, uuid(), (one, id) => {
      expect(codeText(one)).toMatch(/^[0-9A-Za-z]{6}$/)
      expect(readCodeText(codeText(one))).toBe(one)
      const named = withCode(id, one)
      expect(accountCode(named)).toBe(one)
      expect(named.slice(0, 28)).toBe(id.slice(0, 28))
      expect(named).toHaveLength(36)
    }),
  )
})

test('texts of another length, with other characters or above 32 bits are no codes', () => {
  expect(readCodeText('4gfFC3')).toBe(0xffff_ffff)
  for (const text of ['', '4gfFC4', 'zzzzzz', '00000', '0000000', '00000_', '00000é', '-00000']) {
    expect(readCodeText(text), text).toBeNull()
  }
})

test('each kind of credential names its account', () => {
  const text = codeText(0x099a_8057)
  expect(codeOfCredential(`phk_${'a'.repeat(24)}${text}000000`)).toBe(0x099a_8057)
  expect(codeOfCredential(`phs_${'-'.repeat(37)}${text}`)).toBe(0x099a_8057)
  expect(codeOfCredential(`phl_${'_'.repeat(37)}${text}`)).toBe(0x099a_8057)
})

test('what is not a credential of an account has no code', () => {
  const text = codeText(1)
  for (const other of [
    '',
    `pha_${'a'.repeat(37)}${text}`,
    `phs_${'a'.repeat(36)}${text}`,
    `phs_${'a'.repeat(37)}${text}\n`,
    `phs_${'a'.repeat(37)}zzzzzz`,
    `phk_${'a'.repeat(24)}_____a000000`,
    `phk_${'a'.repeat(37)}${text}`,
  ]) {
    expect(codeOfCredential(other), other).toBeNull()
  }
})
