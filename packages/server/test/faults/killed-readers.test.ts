import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect } from 'vitest'
import { posthorn } from '../cli/posthorn-process.ts'
import { allEvents, newCustomer } from '../support/api.ts'
import { killCommand } from '../support/kill-command.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { fault } from './fault.ts'
import { type RequestGate, startRequestGate } from './request-gate.ts'

const map = fileURLToPath(new URL('../../../../examples/ingest/powermta.json', import.meta.url))

/** The lines of one delivered mail, whose `email_id` is `mail-<n>`, and what comes before the first. */
const readers: ReadonlyArray<{
  name: string
  args: readonly string[]
  head?: string
  linesOf: (n: number) => readonly string[]
}> = [
  {
    name: 'postfix',
    args: ['--email-id', 'message-id'],
    linesOf: n => {
      const line = (program: string, text: string): string =>
        `2026-11-21T04:00:01Z mx postfix/${program}[7]: 4F${String(n).padStart(6, '0')}: ${text}`
      return [
        line('cleanup', `message-id=<mail-${n}>`),
        line('qmgr', 'from=<shop@acme.test>, size=512, nrcpt=1 (queue active)'),
        line(
          'smtp',
          `to=<ann${n}@example.org>, relay=mx[192.0.2.7]:25, delay=1, delays=0/0/0/1, dsn=2.0.0, status=sent (250 Ok)`,
        ),
        line('qmgr', 'removed'),
      ]
    },
  },
  {
    name: 'exim',
    args: ['--email-id', 'message-id'],
    linesOf: n => {
      const line = (text: string): string =>
        `2026-11-21 04:00:01 +0000 1tD${String(n).padStart(3, '0')}-0001Ab-C9 ${text}`
      return [
        line(`<= shop@acme.test H=app [192.0.2.5] P=esmtp S=1 id=mail-${n}`),
        line(`=> ann${n}@example.org R=dns T=smtp H=mx [192.0.2.7] C="250 OK"`),
        line('Completed'),
      ]
    },
  },
  {
    name: 'lines',
    args: ['--map', map],
    // what the header says must outlive a kill
    head: 'type,timeLogged,orig,rcpt,dsnStatus,dsnDiag,dsnMta,header_X-Email-ID\n',
    linesOf: n => [
      `d,2026-11-21 04:00:01+0000,shop@acme.test,ann${n}@example.org,2.0.0,smtp;250 Ok,mx,mail-${n}`,
    ],
  },
]

let place: Awaited<ReturnType<typeof newDatabasePlace>>
let service: ServiceProcess
let gate: RequestGate
beforeAll(async () => {
  place = await newDatabasePlace(newestServer())
  service = await startService(newInstallation(place))
  gate = await startRequestGate(service.url)
})
afterAll(async () => {
  await gate[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
  await place[Symbol.asyncDispose]()
})

for (const { name, args, head = '', linesOf } of readers) {
  fault(
    'F74',
    'what a log says is neither lost nor reported twice, whether the reader is killed before the commit or before it saves its position',
    async seen => {
      const { api, apiKey } = await newCustomer(service.url, service.operator)
      const folder = mkdtempSync(join(tmpdir(), 'posthorn-killed-'))
      const log = join(folder, 'log')
      writeFileSync(log, head)
      let mails = 0
      const write = (count: number): void => {
        for (let n = 0; n < count; n++) appendFileSync(log, `${linesOf(++mails).join('\n')}\n`)
      }
      const command = ['ingest', name, log, '--state', `${log}.state`, ...args]
      const env = { POSTHORN_URL: gate.url, POSTHORN_API_KEY: apiKey }
      const emailsOf = async (): Promise<string[]> =>
        (await allEvents(api)).map(({ data }) => (data as { email_id: string }).email_id)

      write(20)
      await killCommand([...command, '--follow'], env, gate.holdNext('request'))
      expect(await emailsOf()).toEqual([])
      write(20)
      await killCommand([...command, '--follow'], env, gate.holdNext('answer'))
      expect(await emailsOf()).toHaveLength(40)
      const again = await posthorn([...command, '--json'], { env })
      expect(JSON.parse(again.stdout)).toMatchObject({ events: 0, ignored: { duplicate: 40 } })

      write(20)
      // the server is in the middle of a line
      const torn = `${linesOf(++mails).join('\n')}\n`
      appendFileSync(log, torn.slice(0, 40))
      await killCommand([...command, '--follow'], env, gate.holdNext('answer'))
      appendFileSync(log, torn.slice(40))
      write(20)
      const last = await posthorn([...command, '--json'], { env })
      expect(last.code, last.stderr).toBe(0)
      expect(JSON.parse(last.stdout)).toMatchObject({ events: 21, ignored: { duplicate: 20 } })
      const expected = Array.from({ length: mails }, (_, n) => `mail-${n + 1}`)
      expect((await emailsOf()).toSorted()).toEqual(expected.toSorted())
      rmSync(folder, { recursive: true })
      seen(`${name}: 3 kills, ${mails} events, 60 of them reported again`)
    },
  )
}
