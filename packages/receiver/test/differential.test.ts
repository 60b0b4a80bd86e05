import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { canRun, hasProgram } from '../../server/test/support/can-run.ts'
import { createVerifier } from '../src/index.ts'
import { at, NOW, SECRET } from './signed.ts'

const PYTHON = `
import hashlib, hmac, sys
key, t = sys.argv[1].encode(), sys.argv[2].encode()
print(hmac.new(key, t + b"." + sys.stdin.buffer.read(), hashlib.sha256).hexdigest())
`
const programs: [string, (input: Buffer) => [string[], Buffer]][] = [
  [
    'openssl',
    input => [
      ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${Buffer.from(SECRET).toString('hex')}`, '-r'],
      Buffer.concat([Buffer.from(`${NOW}.`), input]),
    ],
  ],
  ['python3', input => [['-c', PYTHON, SECRET, String(NOW)], input]],
]
const bodies = [
  ['nothing', Buffer.alloc(0)],
  ['an event', Buffer.from('{"id":"evt_1","type":"email.delivered","data":{"to":["ann@example.org"]}}')],
  ['umlauts and emoji', Buffer.from('{"subject":"Grüße 🐘"}')],
  ['every byte', Buffer.from(Array.from({ length: 256 }, (_, i) => i))],
  ['64 kB', Buffer.alloc(65_536, 0xe9)],
] as const

// Compares the library with a program that shares no code with Node.
for (const [program, command] of programs) {
  const runs = canRun(`what ${program} signs`, hasProgram(program), program)
  test.runIf(runs).each(bodies)(
    `the library verifies a body signed by ${program}: %s`,
    async (_name, body) => {
      const [args, input] = command(body)
      const run = spawnSync(program, args, { input })
      const hex = run.stdout.toString().trim().split(' ')[0] ?? ''
      expect(hex, run.stderr.toString()).toMatch(/^[0-9a-f]{64}$/)

      expect(await createVerifier(at()).verify(body, `t=${NOW},v1=${hex}`)).toMatchObject({ partName: 'v1' })
    },
  )
}
