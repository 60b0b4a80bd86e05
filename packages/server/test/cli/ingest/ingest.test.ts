import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Account, ApiKeyCreated } from '@posthorn/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, connectApi, type Page } from '../../support/api.ts'
import { copyEmbeddedDatabase } from '../../support/embedded-template.ts'
import { until } from '../../support/until.ts'
import { type Ended, posthorn, type Running, spawnPosthorn } from '../posthorn-process.ts'

let folder: string
let service: Running
let env: Record<string, string>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-ingest-'))
  await copyEmbeddedDatabase(folder, 'schema')
  service = startService('0')
  env = { POSTHORN_DATA_DIR: folder, POSTHORN_URL: await service.url() }
})

afterAll(async () => {
  await service.end('SIGTERM')
  rmSync(folder, { recursive: true })
})

const startService = (port: string): Running =>
  spawnPosthorn(['start'], { env: { POSTHORN_DATA_DIR: folder, POSTHORN_PORT: port } })

/** Creates an account with its own log. */
async function newMailHost(name: string) {
  const account = await json<Account>('accounts', 'create', '--name', name)
  const scopes = ['--scopes', 'read,ingest']
  const { api_key: apiKey } = await json<ApiKeyCreated>(
    'keys',
    'create',
    '--account',
    account.id,
    '--name',
    'k',
    ...scopes,
  )
  const log = join(folder, `${name}.log`)
  writeFileSync(log, '')
  let mails = 0
  const args = ['ingest', 'postfix', log, '--state', `${log}.state`, '--email-id', 'message-id']
  const asCustomer = { env: { ...env, POSTHORN_API_KEY: String(apiKey) } }
  return {
    log,
    account,
    args,
    asCustomer,
    mails: () => mails,
    /** Appends the four lines of a mail that Postfix accepts and delivers. */
    deliver: (count = 1): void => {
      for (let n = 0; n < count; n++) appendFileSync(log, mail(++mails))
    },
    once: async (...more: string[]): Promise<Ended> => await posthorn([...args, ...more], asCustomer),
    follow: (): Follower => follow([...args, '--follow'], asCustomer.env),
    emails: async (): Promise<string[]> =>
      await emailsOf(connectApi(env['POSTHORN_URL'] ?? '', String(apiKey))),
  }
}

interface Follower {
  stdout(): string
  stderr(): string
  /** Writes to its standard input. */
  write(text: string): void
  /** Closes its standard input. Resolves with the exit code. */
  endInput(): Promise<number | null>
  /** Resolves with the exit code, or null if the signal ended the process. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts the program without its launcher, so that only this process receives signals. */
function follow(args: readonly string[], settings: Record<string, string>): Follower {
  const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=@posthorn/source', main, ...args], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...settings },
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const closed = once(child, 'close')
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    write: text => void child.stdin.write(text),
    endInput: async () => {
      child.stdin.end()
      await closed
      return child.exitCode
    },
    end: async signal => {
      child.kill(signal)
      await closed
      return child.exitCode
    },
  }
}

function mail(number: number): string {
  const queueId = `4F${String(number).padStart(6, '0')}`
  const line = (program: string, text: string) =>
    `2026-11-21T04:00:01Z mx postfix/${program}[7]: ${queueId}: ${text}\n`
  return [
    line('cleanup', `message-id=<mail-${number}@acme.test>`),
    line('qmgr', 'from=<shop@acme.test>, size=512, nrcpt=1 (queue active)'),
    line(
      'smtp',
      `to=<ann${number}@example.org>, relay=mx1.example.org[192.0.2.7]:25, delay=1, delays=0/0/0/1, dsn=2.0.0, status=sent (250 2.0.0 Ok)`,
    ),
    line('qmgr', 'removed'),
  ].join('')
}

async function emailsOf(api: Api): Promise<string[]> {
  const found: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { body: Page<{ data: { email_id: string } }> } = await api.get(
      `/v1/events?limit=250${cursor === '' ? '' : `&cursor=${cursor}`}`,
    )
    found.push(...page.body.data.map(({ data }) => data.email_id))
    cursor = page.body.next_cursor
  }
  return found
}

async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await posthorn([...args, '--json'], { env })
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as T
}

test('each run continues where the last one stopped, and its summary counts lines and events', async () => {
  const host = await newMailHost('once')
  host.deliver(3)
  appendFileSync(host.log, 'Nov 21 04:00:01 mx sshd[1]: nothing to do with mail\n\0\u00ff\n')
  const first = await host.once('--json')
  expect({ code: first.code, ...JSON.parse(first.stdout) }).toEqual({
    code: 0,
    lines: 14,
    events: 3,
    not_ours: 0,
    ignored: {},
    passed_over: { unrelated: 1, not_understood: 1 },
  })
  host.deliver(2)
  const second = await host.once()
  expect(second.stdout).toContain('Read 8 lines, created 2 events.')
  expect(second.stderr).toContain('100 %')
  expect(new Set(await host.emails())).toEqual(new Set([1, 2, 3, 4, 5].map(n => `mail-${n}@acme.test`)))
})

test('after kills and restarts during rotations, nothing is lost or reported twice', async () => {
  const host = await newMailHost('killed')
  const total = 400
  let running = host.follow()
  for (let round = 0; round < 8; round++) {
    const before = (await host.emails()).length
    host.deliver(total / 8)
    if (round % 3 === 1) {
      renameSync(`${host.log}`, `${host.log}.${9 - round}`)
      writeFileSync(host.log, '')
    }
    // kill it in the middle: as soon as it has reported more emails
    await until('more is told', async () => (await host.emails()).length > before || null)
    await running.end('SIGKILL')
    running = host.follow()
  }
  host.deliver()
  const emails = await until('all are told', async () => {
    const found = await host.emails()
    return found.length > total ? found : null
  })
  expect(await running.end('SIGTERM')).toBe(0)
  expect(emails).toHaveLength(total + 1)
  expect(new Set(emails).size).toBe(total + 1)
})

test('while the service is down, --follow waits and then continues, and a single run fails', async () => {
  const host = await newMailHost('away')
  const port = new URL(env['POSTHORN_URL'] ?? '').port
  await service.end('SIGTERM')
  const running = host.follow()
  host.deliver(5)
  await until('it says so', () => running.stderr().includes('Waiting for the service') || null)
  const refused = await host.once()
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.stderr).toContain('no service answers')
  service = startService(port)
  await service.url()
  await until('all are told', async () => (await host.emails()).length === 5 || null)
  await running.end('SIGTERM')
})

test('standard input is read while it comes, and once more without double events', async () => {
  const host = await newMailHost('piped')
  const running = follow(['ingest', 'postfix', '-', '--email-id', 'message-id'], host.asCustomer.env)
  running.write('journal starts here\n')
  await until('it warns', () => running.stderr().includes('The first line is "journal starts here"') || null)
  running.write(mail(1))
  await until('the first is told', async () => (await host.emails()).length === 1 || null)
  running.write(mail(2).trimEnd())
  expect(await running.endInput()).toBe(0)
  expect(running.stdout()).toContain('Read 9 lines, created 2 events.')
  const again = follow(['ingest', 'postfix', '-', '--email-id', 'message-id'], host.asCustomer.env)
  again.write(mail(1) + mail(2))
  expect(await again.endInput()).toBe(0)
  expect(again.stdout()).toContain('Ignored by the service, duplicate: 2.')
})

test('a log of something else fails with its first line, and is read from its start by the right command', async () => {
  const host = await newMailHost('other')
  writeFileSync(host.log, 'type,timeLogged\nNov 21 04:00:01 mx sshd[1]: hello\n')
  for (let n = 0; n < 2; n++) {
    const ended = await host.once()
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toContain(
      `no line of ${host.log} is a line that posthorn ingest postfix understands`,
    )
    expect(ended.stderr).toContain('The first line is "type,timeLogged". Expected lines such as "Nov 21 04')
  }
  host.deliver()
  expect((await host.once('--json')).stdout).toContain('"lines": 6')
  appendFileSync(host.log, 'nothing to do with mail\n')
  const last = await host.once()
  expect(last.code).toBe(0)
  expect(last.stderr).toContain('Passed over a line that is not understood: "nothing to do with mail"')
  expect(last.stdout).toContain('No outcome, not understood: 1.')
})

test('an Exim log is followed across kills: nothing is lost or reported twice', async () => {
  const host = await newMailHost('exim')
  const write = (from: number, to: number): void => {
    for (let n = from; n < to; n++) {
      const id = `1tD${String(n).padStart(3, '0')}-0001Ab-C9`
      const arrived = `2026-11-21 04:00:01 ${id} <= shop@acme.test H=app [192.0.2.5] P=esmtp S=1 id=mail-${n}@acme.test\n`
      const sent = `2026-11-21 04:00:01 ${id} => ann${n}@example.org R=dns T=smtp H=mx [192.0.2.7] C="250 OK"\n`
      appendFileSync(host.log, `${arrived}${sent}2026-11-21 04:00:02 ${id} Completed\n`)
    }
  }
  const start = () => follow([...host.args.with(1, 'exim'), '--follow'], host.asCustomer.env)
  let running = start()
  for (let round = 0; round < 3; round++) {
    write(round * 50, round * 50 + 50)
    await until('more is told', async () => (await host.emails()).length > round * 50 || null)
    await running.end('SIGKILL')
    running = start()
  }
  write(150, 151)
  const emails = await until('all are told', async () => {
    const found = await host.emails()
    return found.length > 150 ? found : null
  })
  expect(await running.end('SIGTERM')).toBe(0)
  expect(emails).toHaveLength(151)
  expect(new Set(emails).size).toBe(151)
  const wrong = await posthorn(host.args, host.asCustomer)
  expect(wrong.stderr).toContain('it belongs to posthorn ingest exim')
})

test('--from-end skips what is already in the log, but reports a mail that finishes later', async () => {
  const host = await newMailHost('from-end')
  host.deliver(2)
  const [first = '', second = '', third = '', fourth = ''] = mail(7).split(/(?<=\n)/)
  appendFileSync(host.log, first + second)
  expect((await host.once('--from-end', '--json')).stdout).toContain('"events": 0')
  appendFileSync(host.log, third + fourth)
  expect((await host.once('--from-end', '--json')).stdout).toContain('"events": 1')
  expect(await host.emails()).toEqual(['mail-7@acme.test'])
})

test('emails without an id that Posthorn did not send are counted as not ours', async () => {
  const host = await newMailHost('foreign')
  host.deliver(2)
  const answer = await posthorn(['ingest', 'postfix', host.log, '--state', `${host.log}.other`, '--json'], {
    env,
  })
  expect(JSON.parse(answer.stdout)).toMatchObject({ events: 0, not_ours: 2 })
})

test('a wrong argument or state file is reported with the reason', async () => {
  const host = await newMailHost('wrong')
  const say = async (...args: string[]) => (await posthorn(['ingest', 'postfix', ...args], { env })).stderr
  expect(await say('/nowhere/mail.log')).toContain('/nowhere/mail.log does not exist')
  expect(await say(host.log, '--account', host.account.id)).toContain('--account needs --email-id')
  expect(await say(host.log, '--email-id', 'nonsense')).toContain(
    '--email-id must be message-id or header:<name>',
  )
  writeFileSync(`${host.log}.state`, '{"log":"/other.log"}')
  expect(await say(host.log, '--state', `${host.log}.state`)).toContain('it belongs to /other.log')
})
