import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { tally } from '../../demo/tally.ts'

const demo = fileURLToPath(new URL('../../demo/demo.ts', import.meta.url))

test('the demo shows every event type, a rotation and a recovery, and its tally agrees', async () => {
  const child = spawn(process.execPath, ['--conditions=@posthorn/source', demo], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // the developer's own settings must not reach the demo's service
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      POSTHORN_ROLE: 'api',
      DATABASE_URL: 'postgres://nobody@127.0.0.1:9/x',
    },
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])

  expect({ code: child.exitCode, stderr }, stdout).toEqual({ code: 0, stderr: '' })
  for (const type of ['delivered', 'bounced', 'failed', 'unsubscribed']) {
    expect(stdout).toMatch(new RegExp(`✓ steady #\\d+ +email\\.${type} .+ v1 by first key\n`))
  }
  expect(stdout).toMatch(/✓ steady .+ v1 by first key, v1s by second key\n/)
  expect(stdout).toMatch(/✓ steady .+ v1 by second key\n/)
  expect(stdout).toMatch(/↻ flaky .+ answered 503 attempt 1\n/)
  expect(stdout).toMatch(/✓ flaky .+ attempt [3-9]\n/)
  const [, reported] = /(\d+) outcomes reported/.exec(stdout) ?? []
  expect(stdout).toMatch(new RegExp(`steady +0 +0 +${reported} +0 +${reported} +0\n`))
  expect(stdout).not.toContain('\u001b')
  expect(stdout).not.toMatch(/whsec_\w{10}|phk_|pha_/)
}, 90_000)

const accepted = new Map([
  ['evt_1', 'email.bounced'],
  ['evt_2', 'email.delivered'],
] as const)
const agreeing = {
  name: 'steady',
  subscribed: ['email.bounced'],
  deliveries: [{ event_id: 'evt_1', state: 'delivered' }],
  acknowledged: new Set(['evt_1']),
} as const

test('the tally agrees when every reported event was delivered and verified', () => {
  expect(tally(agreeing, accepted)).toEqual({ states: new Map([['delivered', 1]]), differences: [] })
})

test.each([
  { lie: { acknowledged: new Set<string>() }, says: 'the receiver did not verify it' },
  { lie: { acknowledged: new Set(['evt_1', 'evt_9']) }, says: 'evt_9 was verified, but' },
  {
    lie: { deliveries: [{ event_id: 'evt_1', state: 'exhausted' as const }] },
    says: 'reported but not delivered',
  },
  { lie: { subscribed: [] }, says: 'delivered but never reported' },
])('the tally notices when one side reports something else: $says', ({ lie, says }) => {
  expect(tally({ ...agreeing, ...lie }, accepted).differences.join('\n')).toContain(says)
})
