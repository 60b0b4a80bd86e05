import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProviderKind, ProviderSourceCreated, SourceAccepted } from '@posthorn/contract'
import { afterAll, beforeAll, expect } from 'vitest'
import { makeCertificate } from '../egress/certificate.ts'
import * as mailgun from '../providers/mailgun-webhook.ts'
import type { Webhook } from '../providers/provider-app.ts'
import { newId, providerCases, signed, webhookOf } from '../providers/provider-cases.ts'
import * as ses from '../providers/ses-webhook.ts'
import { allEvents, expectStatus, newCustomer } from '../support/api.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { freePort } from '../support/free-port.ts'
import { type ServiceProcess, startService } from '../support/service-process.ts'
import { startTlsReceiver } from '../support/tls-receiver.ts'
import { until } from '../support/until.ts'
import { commitsReport } from './commits-report.ts'
import type { DatabaseProxy } from './database-proxy.ts'
import { fault } from './fault.ts'
import { newHarmedDatabase } from './harmed-database.ts'

interface Reporter {
  name: string
  kind: ProviderKind
  key: string
  /** How many bounces a request contains. */
  size: number
  /** How many of them the first transaction stores. */
  storedFirst: number
  /** A request about bounces of these emails. */
  webhook: (emailIds: readonly string[]) => Webhook
}

const ofOne = { size: 1, storedFirst: 1 }
const unknownUser = '550 5.1.1 User unknown'
const reporters: readonly Reporter[] = [
  ...providerCases.flatMap((provider): Reporter[] => {
    const { kind, key, bounce } = provider
    if (kind !== 'sendgrid') {
      return [{ name: kind, kind, key, ...ofOne, webhook: ([id = '']) => signed(provider, bounce(id)) }]
    }
    const webhook = (ids: readonly string[]): Webhook =>
      webhookOf(provider, Buffer.from(JSON.stringify(ids.map(bounce))))
    return [
      { name: 'sendgrid', kind, key, size: 200, storedFirst: 200, webhook },
      { name: 'sendgrid in two transactions', kind, key, size: 1_200, storedFirst: 1_000, webhook },
    ]
  }),
  {
    name: 'mailgun',
    kind: 'mailgun',
    key: mailgun.key,
    ...ofOne,
    webhook: ([id]) =>
      mailgun.webhook(mailgun.failed(550, unknownUser, { 'user-variables': { posthorn_email_id: id } })),
  },
  {
    name: 'ses',
    kind: 'ses',
    key: ses.topic,
    ...ofOne,
    webhook: ([id]) =>
      ses.notification({
        ...ses.bounce('Permanent', 'General', ses.refusedBy(`smtp; ${unknownUser}`, '5.1.1')),
        mail: ses.mail({ tags: { posthorn_email_id: [id] } }),
      }),
  },
]

const opened = new AsyncDisposableStack()
let proxy: DatabaseProxy
let start: () => Promise<ServiceProcess>
let service: ServiceProcess
beforeAll(async () => {
  const database = opened.use(await newHarmedDatabase())
  const dns = opened.use(await startDnsServer())
  const { hostname } = new URL(ses.host)
  dns.addresses(hostname, '127.0.0.1')
  const authority = makeCertificate({ name: 'authority', isAuthority: true })
  const authorityFile = join(database.spared.place.dataDir, 'authority.pem')
  writeFileSync(authorityFile, authority.cert)
  const amazon = opened.use(
    await startTlsReceiver(
      makeCertificate({ name: 'amazon', hosts: [hostname], issuer: authority }),
      ({ url }, response) => response.end(ses.published.get(`${ses.host}${url}`)),
    ),
  )
  proxy = database.proxy
  const settings = {
    POSTHORN_PORT: String(await freePort()),
    POSTHORN_DNS_SERVERS: dns.address,
    NODE_EXTRA_CA_CERTS: authorityFile,
    NODE_OPTIONS: `--import=${new URL('https-port.preload.ts', import.meta.url).href}`,
    HTTPS_PORT: new URL(amazon.url('')).port,
  }
  start = async () => await startService(database.harmed, settings)
  service = await start()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await opened.disposeAsync()
})

for (const { name, kind, key, size, storedFirst, webhook } of reporters) {
  fault(
    'F75',
    'what a mail provider reports is neither lost nor stored twice, whether the process is killed before the commit or before it answers',
    async seen => {
      const { accountId, api } = await newCustomer(service.url, service.operator)
      const { report_url: reportUrl } = expectStatus(
        201,
        await service.operator.post<ProviderSourceCreated>(`/v1/accounts/${accountId}/sources`, {
          kind,
          key,
        }),
      )
      const { pathname, search } = new URL(reportUrl ?? '')
      const reportAndKill = async (
        emailIds: readonly string[],
        isTime: Promise<void>,
      ): Promise<SourceAccepted> => {
        const answer = repeatUntilTaken(service.url + pathname + search, webhook(emailIds))
        await isTime
        await service.kill()
        service = await start()
        return await answer
      }

      const [early, late] = [newIds(size), newIds(size)]
      const first = await reportAndKill(early, proxy.holdRequest(commitsReport()))
      expect(first).toMatchObject({ accepted: size, ignored: [] })
      const second = await reportAndKill(late, proxy.holdReplyAfter(commitsReport()))
      expect(second.accepted).toBe(size - storedFirst)
      expect(second.ignored.map(({ reason }) => reason)).toEqual(Array(storedFirst).fill('duplicate'))

      const events = await allEvents(api)
      expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['email.bounced']))
      const reported = events.map(({ data }) => (data as { email_id: string }).email_id)
      expect(reported.toSorted()).toEqual([...early, ...late].toSorted())
      seen(`${name}: 2 kills, ${events.length} events, ${storedFirst} of them reported again`)
    },
  )
}

function newIds(count: number): string[] {
  return Array.from({ length: count }, newId)
}

/** Sends it as a provider does: again and again, until the answer is 2xx. */
async function repeatUntilTaken(url: string, { headers = {}, payload }: Webhook): Promise<SourceAccepted> {
  const body = typeof payload === 'string' ? payload : new Uint8Array(payload)
  return await until('the provider gets 2xx', async () => {
    const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => null)
    return answer?.ok === true ? ((await answer.json()) as SourceAccepted) : undefined
  })
}
