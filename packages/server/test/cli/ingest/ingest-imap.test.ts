import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseImapUrl } from '../../../src/domain/imap-url.ts'
import { operatorToken } from '../../http/test-app.ts'
import { bounceMail, statusGroup } from '../../sources/mails.ts'
import { useSourceApp } from '../../sources/source-app.ts'
import { canRun, hasProgram } from '../../support/can-run.ts'
import { killCommand } from '../../support/kill-command.ts'
import { killWhenOrphaned } from '../../support/kill-when-orphaned.ts'
import { verbBackends } from '../../support/test-database.ts'
import { until } from '../../support/until.ts'
import { type Dovecot, imapPassword, imapUser, startDovecot } from './dovecot.ts'

const isRunnable =
  process.getuid?.() === 0 && canRun('tests with a real IMAP server', hasProgram('dovecot'), 'dovecot-imapd')

describe.runIf(isRunnable).each(verbBackends())('a bounce mailbox on $name', backend => {
  const { app, customer, sent, event } = useSourceApp(backend)
  let dovecot: Dovecot
  let service: { url: string; requests: number; onRequest: (() => Promise<void>) | null }
  const servers: Array<() => void> = []

  beforeAll(async () => {
    dovecot = await startDovecot({ ssl: true })
    const server = createServer((request, response) => {
      void (async () => {
        const { method, url = '', headers } = request
        const payload = await buffer(request)
        const answer = await app().app.inject({ method: method as 'POST', url, headers, payload })
        service.requests++
        await service.onRequest?.()
        response.writeHead(answer.statusCode, { 'content-type': 'application/json' }).end(answer.body)
      })()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    servers.push(
      () => server.closeAllConnections(),
      () => server.close(),
    )
    service = {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      requests: 0,
      onRequest: null,
    }
  })
  afterAll(async () => {
    for (const close of servers) close()
    await dovecot[Symbol.asyncDispose]()
  })

  const imapUrl = (
    scheme = 'imaps',
    host = '127.0.0.1',
    port = dovecot.tlsPort,
    password = imapPassword,
  ): string => `${scheme}://${encodeURIComponent(imapUser)}:${encodeURIComponent(password)}@${host}:${port}`

  const environment = (url: string) => ({
    POSTHORN_URL: service.url,
    POSTHORN_ADMIN_TOKEN: operatorToken,
    POSTHORN_IMAP_URL: url,
  })
  const start = (url: string, ...args: string[]) => {
    const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url))
    const { PATH, NODE_COMPILE_CACHE } = process.env
    const child = spawn(
      process.execPath,
      ['--conditions=@posthorn/source', main, 'ingest', 'imap', ...args],
      {
        env: { PATH, NODE_COMPILE_CACHE, ...environment(url) },
      },
    )
    killWhenOrphaned(child, 'process')
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    const closed = once(child, 'close')
    return {
      stderr: () => stderr,
      ended: async () => {
        await closed
        return { code: child.exitCode, stdout, stderr }
      },
      end: async (signal: NodeJS.Signals) => {
        child.kill(signal)
        await closed
        return child.exitCode
      },
    }
  }
  const run = async (url: string, ...args: string[]) => await start(url, ...args).ended()

  /** A bounce message for a new email, and how many events the email has. */
  const newBounce = async () => {
    const { id, returnPaths } = await sent()
    const mail = bounceMail(returnPaths[0] ?? '', [statusGroup('ann@example.org')])
    return { id, mail }
  }

  const eventsOf = async (emailId: string): Promise<string[]> => {
    const answer = await app().app.inject({
      url: `/v1/events?email_id=${emailId}`,
      headers: { authorization: `Bearer ${customer().apiKey}` },
    })
    return (JSON.parse(answer.body) as { data: { id: string }[] }).data.map(({ id }) => id)
  }
  test('each message is reported and then moved, whatever it is', async () => {
    const { id, mail } = await newBounce()
    dovecot.deliver(mail)
    dovecot.deliver('Subject: hello\r\n\r\nNo report.\r\n')
    dovecot.deliver(Buffer.from([0, 255, 13, 10, 7]))
    dovecot.deliver(
      Buffer.concat([Buffer.from('Subject: big\r\n\r\n'), Buffer.alloc(11 * 1_024 * 1_024, 'x\r\n')]),
    )
    for (const url of [imapUrl(), imapUrl('imap', '127.0.0.1', dovecot.plainPort)]) {
      const { code, stdout, stderr } = await run(url)
      expect({ code, stderr: stderr.replace('Posthorn did not take a message: too large\n', '') }).toEqual({
        code: 0,
        stderr: '',
      })
      expect(stdout).toContain(
        url.startsWith('imaps') ? 'Read 4 messages, created 1 events.' : 'Read 0 messages',
      )
    }
    expect(dovecot.messages()).toEqual([])
    expect(dovecot.messages('Posthorn')).toHaveLength(4)
    expect(dovecot.messages('Posthorn').map(unixLines)).toContain(unixLines(mail))
    expect(dovecot.log()).toContain('TLS')
    expect(await event((await eventsOf(id))[0])).toMatchObject({ type: 'email.bounced', email_id: id })
  })

  test('with --follow, new messages are reported at once, also after the server was away', async () => {
    const running = start(imapUrl(), '--follow')
    const before = service.requests
    dovecot.deliver((await newBounce()).mail)
    await until('the first is moved', () => dovecot.messages().length === 0 || null)
    await dovecot.restart()
    dovecot.deliver((await newBounce()).mail)
    await until('the second is moved', () => dovecot.messages().length === 0 || null)
    expect(service.requests).toBe(before + 2)
    expect(running.stderr()).toContain('Connecting to the mailbox again')
    expect(await running.end('SIGTERM')).toBe(0)
  })

  test('if the command is killed before it moves a message, the next run reports it again and makes no second event', async () => {
    const { id, mail } = await newBounce()
    let answer = (): void => {}
    const killed = new Promise<void>(resolve => (answer = resolve))
    const requested = new Promise<void>(resolve => {
      service.onRequest = async () => {
        service.onRequest = null
        resolve()
        await killed
      }
    })
    dovecot.deliver(mail)
    await killCommand(['ingest', 'imap', '--follow'], environment(imapUrl()), requested)
    answer()
    expect(dovecot.messages()).toEqual([mail])
    const { stdout } = await run(imapUrl(), '--json')
    expect(JSON.parse(stdout)).toMatchObject({ messages: 1, events: 0, ignored: { duplicate: 1 } })
    expect(dovecot.messages()).toEqual([])
    expect(await eventsOf(id)).toHaveLength(1)
  })

  test('a wrong password is reported, and the message stays', async () => {
    dovecot.deliver('Subject: stays\r\n\r\nHello\r\n')
    const { code, stderr } = await run(imapUrl('imaps', '127.0.0.1', dovecot.tlsPort, 'wrong'))
    expect(code).toBe(1)
    expect(stderr).toContain(`the login of ${imapUser} at 127.0.0.1:${dovecot.tlsPort} failed`)
    expect(stderr).not.toContain('wrong')
    expect(dovecot.messages()).toHaveLength(1)
  })

  test('the password never goes over the network without TLS', async ({ skip }) => {
    const address = Object.values(networkInterfaces())
      .flat()
      .find(one => one?.family === 'IPv4' && !one.internal)?.address
    if (address === undefined) return skip('this machine has no network')
    await using plain = await startDovecot({ ssl: false })
    const { code, stderr } = await run(imapUrl('imap', address, plain.plainPort))
    expect(code).toBe(1)
    expect(stderr).toMatch(/TLS/)
    expect(plain.log()).not.toContain(imapUser)
    // on this machine it is allowed
    expect((await run(imapUrl('imap', '127.0.0.1', plain.plainPort))).code).toBe(0)
    expect(plain.log()).toContain(imapUser)
  })
})

/** Dovecot may store other line breaks than it got. */
const unixLines = (mail: string): string => mail.replaceAll('\r\n', '\n')

test('the URL of a mailbox is read, and a mistake is reported without the password', () => {
  expect(parseImapUrl('imaps://a%40b.test:p%2F%40@imap.test')).toEqual({
    host: 'imap.test',
    port: 993,
    isTls: true,
    isLoopback: false,
    user: 'a@b.test',
    password: 'p/@',
    mailbox: 'INBOX',
  })
  expect(parseImapUrl('imap://a:b@[::1]/Bounces%2FNew')).toMatchObject({
    host: '::1',
    port: 143,
    isLoopback: true,
    mailbox: 'Bounces/New',
  })
  for (const text of [
    'imap.test',
    'https://a:secret@imap.test',
    'imaps://imap.test',
    'imaps://a:%zzsecret@imap.test',
  ]) {
    expect(() => parseImapUrl(text)).toThrow(/^(?!.*secret)/)
  }
})
