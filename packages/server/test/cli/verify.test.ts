import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Ended, posthorn } from './posthorn-process.ts'

const secret = `whsec_${'a1B2'.repeat(11).slice(1)}`
const body = '{"id":"evt_1","type":"email.delivered","data":{"email_id":"em_1","to":["ada@example.com"]}}'
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-verify-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

test('a valid delivery verifies, with its body and secret from files, standard input or arguments', async () => {
  const header = sign(body, nowSeconds())

  for (const args of [
    ['--body', '-', '--secret', secret],
    ['--body', file('body.json', body), '--secret-file', file('secret.txt', `${secret}\n`)],
    ['--body', '-', '--secret', `whsec_${'x'.repeat(44)}`, '--secret', secret],
  ]) {
    const ended = await posthorn(['verify', '--header', header, ...args], { stdin: body })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toMatch(/^Verified: v1 matches (the secret|secret 2 of 2), signed at 20/)
  }
})

test('the whole header line can be pasted', async () => {
  const line = `X-Service-Signature: ${sign(body, nowSeconds())}`

  expect(await verify(line)).toMatchObject({ code: 0 })
})

test.each([
  {
    fault: 'nothing in the header',
    header: () => ' , ',
    code: 'timestamp_missing',
    rule: 'seconds since 1970',
  },
  {
    fault: 'a time with letters',
    header: () => sign(body, '12ab'),
    code: 'timestamp_malformed',
    rule: 'digits',
  },
  { fault: 'two times', header: () => `t=1,${sign(body, 1)}`, code: 'header_malformed', rule: 'with one t' },
  { fault: 'no signature', header: () => `t=${nowSeconds()}`, code: 'signature_missing', rule: 'named v1' },
  {
    fault: 'another body',
    header: () => sign(`${body} `, nowSeconds()),
    code: 'signature_mismatch',
    rule: 'HMAC-SHA256 of t, a dot and the exact bytes',
  },
  {
    fault: 'an old time',
    header: () => sign(body, nowSeconds() - 301),
    code: 'timestamp_too_old',
    rule: '300',
  },
  {
    fault: 'a time to come',
    header: () => sign(body, nowSeconds() + 400),
    code: 'timestamp_in_future',
    rule: 'at most the tolerance',
  },
])('$fault: exits with 1 and names the failed rule', async ({ header, code, rule }) => {
  const value = header()
  const text = await verify(value)
  const json = await verify(value, ['--json'])

  expect(text.code).toBe(1)
  expect(text.stdout).toContain(`(${code})`)
  expect(text.stdout).toMatch(new RegExp(`Rule: .*${rule}`))
  expect(json.code).toBe(1)
  expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, code })
})

test('a tolerance of 0 accepts any timestamp', async () => {
  expect(await verify(sign(body, 1_000_000_000), ['--tolerance', '0'])).toMatchObject({ code: 0 })
})

test.each([
  { accident: 'an editor added a line break', received: `${body}\n`, says: 'line break was added' },
  {
    accident: 'it was printed prettily',
    received: JSON.stringify(JSON.parse(body), null, 2),
    says: 'parsed',
  },
])('reports the exact reason if $accident', async ({ received, says }) => {
  const header = sign(body, nowSeconds())

  const ended = await posthorn(['verify', '--header', header, '--body', '-', '--secret', secret], {
    stdin: received,
  })

  expect(ended.code).toBe(1)
  expect(ended.stdout).toContain(says)
})

test('a secret prefix, an API key and an empty file are rejected as secrets', async () => {
  const header = sign(body, nowSeconds())
  const empty = file('empty.txt', '\n')

  for (const [option, value, code] of [
    ['--secret', secret.slice(0, 10), 'secret_too_short'],
    ['--secret', `phk_${'1'.repeat(36)}`, 'secret_wrong_kind'],
    ['--secret-file', empty, 'secret_missing'],
  ] as const) {
    const ended = await posthorn(['verify', '--header', header, '--body', '-', option, value], {
      stdin: body,
    })
    expect(ended.code).toBe(1)
    expect(ended.stdout).toContain(code)
  }
})

test('a missing file is named', async () => {
  const ended = await posthorn(['verify', '--header', 't=1', '--body', 'no-such-file', '--secret', secret])

  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toContain('cannot read no-such-file')
})

async function verify(header: string, more: string[] = []): Promise<Ended> {
  return await posthorn(['verify', '--header', header, '--body', '-', '--secret', secret, ...more], {
    stdin: body,
  })
}

function sign(text: string, t: number | string): string {
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${text}`).digest('hex')}`
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000)
}

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
