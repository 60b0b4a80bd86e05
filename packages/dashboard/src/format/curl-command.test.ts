import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { curlCommand, signedAtMs } from './curl-command.ts'

test('a shell passes the URL, the headers and the body to curl byte for byte', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map(value => value.replaceAll('\0', ''))
  fc.assert(
    fc.property(text, text, (value, body) => {
      const url = `https://example.com/${encodeURIComponent(value)}?a='b'`
      const command = curlCommand({ url, headers: { 'X-Name': `${value}'$(no)` }, body: `${body}'` })
      expect(argumentsOf(command)).toEqual([
        '--include',
        '--request',
        'POST',
        url,
        '--header',
        `X-Name: ${value}'$(no)`,
        '--data-binary',
        `${body}'`,
      ])
    }),
    { numRuns: 30 },
  )
})

test('the time of a signature is read from its t', () => {
  expect(signedAtMs({ 'X-Service-Signature': 't=1795230842,v1=ab' })).toBe(1_795_230_842_000)
  expect(signedAtMs({ 'x-service-signature': 'v1=t=1' })).toBeNull()
  expect(signedAtMs({})).toBeNull()
})

/** The arguments that a real shell passes to curl. */
function argumentsOf(command: string): string[] {
  const script = `curl() { for a; do printf '%s\\0' "$a"; done; }\n${command}`
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
}
