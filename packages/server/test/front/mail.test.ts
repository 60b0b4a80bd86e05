import { request } from 'node:http'
import type { Event } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { parseTypeId } from '../../src/domain/type-id.ts'
import { createSeal } from '../../src/seal/seal.ts'
import { parseMasterKeys } from '../../src/seal/master-keys.ts'
import { bounceMail, plainMail, statusGroup } from '../sources/mails.ts'
import { type SentEmail, sentEmail } from '../sources/sent-email.ts'
import { oneClick } from '../suppressions/sent-email.ts'
import { allEvents, type Customer } from '../support/api.ts'
import { openPlace } from '../support/open-place.ts'
import { sendMail } from '../support/send-mail.ts'
import { openShards, type TestInstallation } from '../support/shards.ts'
import { until } from '../support/until.ts'
import { verbContext } from '../verbs/verb-context.ts'

const domain = 'mail.acme.test'
let installation: TestInstallation
let port: number
const databases: Database[] = []
const customers: Customer[] = []

beforeAll(async () => {
  installation = await openShards(2, {
    shard: { POSTHORN_RETURN_PATH_DOMAIN: domain },
    front: { POSTHORN_RETURN_PATH_DOMAIN: domain, POSTHORN_SMTP_PORT: '0' },
  })
  port = Number(installation.told.find(fields => 'port' in fields)?.['port'])
  for (const shard of installation.shards) {
    databases.push(await openPlace(shard.place))
    customers.push(await installation.customerOn(shard.number))
  }
})

afterAll(async () => {
  for (const database of databases) await database[Symbol.asyncDispose]()
  await installation[Symbol.asyncDispose]()
})

let emails = 0

/** An email that the customer of a shard sent, with the address of its recipient. */
async function sentOn(shard: number): Promise<SentEmail & { address: string }> {
  const plain = verbContext(databases[shard] as Database)
  const ctx = { ...plain, seal: createSeal(parseMasterKeys(installation.masterKeys), plain.random) }
  const accountId = parseTypeId('acct', customers[shard]?.accountId ?? '') ?? ''
  // the first report about a recipient would make later ones late
  const address = `reader${++emails}@example.org`
  return { ...(await sentEmail(ctx, accountId, [address])), address }
}

async function send(to: string | string[], raw: string, from = ''): Promise<number> {
  return await sendMail(port, { to, raw, from })
}

async function typesOf(shard: number, email: SentEmail): Promise<string[]> {
  const events: Event[] = await allEvents((customers[shard] as Customer).api)
  return events.filter(event => event.data.email_id === email.id).map(({ type }) => type)
}

describe.each([0, 1])('mail for an account of shard %s', shard => {
  test('is stored before 250 is returned', async () => {
    const email = await sentOn(shard)
    const [path = ''] = email.returnPaths
    expect(await send(path, bounceMail('undisclosed', [statusGroup(email.address)]))).toBe(250)
    expect(await typesOf(shard, email)).toEqual(['email.bounced'])
  })

  test('unsubscribes, unless it has no sender', async () => {
    const email = await sentOn(shard)
    const to = email.unsubscribe[0] ?? ''
    expect(await send(to, plainMail(to))).toBe(250)
    expect(await typesOf(shard, email)).toEqual([])
    expect(await send(to, plainMail(to), 'ann@example.org')).toBe(250)
    expect(await typesOf(shard, email)).toEqual(['email.unsubscribed'])
  })

  test('is refused if the address is forged', async () => {
    const [path = ''] = (await sentOn(shard)).returnPaths
    const forged = path.replace(/.(?=@)/, last => (last === '0' ? '1' : '0'))
    for (const to of [forged, `postmaster@${domain}`, 'ann@example.org']) {
      expect(await send(to, plainMail(to)), to).toBe(550)
    }
  })

  test('is stored if it arrives at a return path of the customer', async () => {
    const email = await sentOn(shard)
    const path = (email.returnPaths[0] ?? '').replace(domain, 'bounces.customer.example')
    expect(await send(path, bounceMail('undisclosed', [statusGroup(email.address)]))).toBe(250)
    expect(await typesOf(shard, email)).toEqual(['email.bounced'])
  })

  test('unsubscribes with a link at a host of the customer', async () => {
    const email = await sentOn(shard)
    const { hostname, port: httpPort } = new URL(installation.url)
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const asked = request({
        host: hostname,
        port: httpPort,
        path: `/u/${email.unsubscribeLinks[0]}`,
        method: 'POST',
        headers: { host: 'links.customer.example', ...oneClick.headers },
      })
      asked.on('response', response => {
        response.resume()
        resolve(response.statusCode)
      })
      asked.on('error', reject)
      asked.end(oneClick.payload)
    })
    expect(answer).toBe(200)
    expect(await typesOf(shard, email)).toEqual(['email.unsubscribed'])
  })

  test('unsubscribes with the link in the email', async () => {
    const email = await sentOn(shard)
    const link = `${installation.url}/u/${email.unsubscribeLinks[0]}`
    const page = await fetch(link, { headers: { 'accept-language': 'nl-BE, fr;q=0.5' } })
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('news')])
    expect([page.headers.get('content-language'), page.headers.get('vary')]).toEqual([
      'nl',
      'Accept-Language',
    ])
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    expect((await fetch(link, { method: 'POST', body })).status).toBe(200)
    expect(await typesOf(shard, email)).toEqual(['email.unsubscribed'])
    const [, undo = ''] = /name="undo" value="([^"]+)"/.exec(await (await fetch(link)).text()) ?? []
    const undone = await fetch(link, { method: 'POST', body: new URLSearchParams({ undo }) })
    expect(await undone.text()).toContain('You are subscribed again')
    expect((await fetch(`${installation.url}/u/x`)).status).toBe(404)
    expect((await fetch(link, { method: 'PUT' })).status).toBe(405)
  })
})

test('one mail for recipients of two shards is stored on both', async () => {
  const sent = [await sentOn(0), await sentOn(1)]
  const to = sent.map(email => email.returnPaths[0] ?? '')
  const groups = sent.map(({ address }) => statusGroup(address))
  expect(await send(to, bounceMail('undisclosed', groups))).toBe(250)
  for (const [shard, email] of sent.entries()) {
    expect(await typesOf(shard, email)).toEqual(['email.bounced'])
  }
})

test('the sender tries again later while the shard is down', async () => {
  const email = await sentOn(1)
  const [path = ''] = email.returnPaths
  const mail = bounceMail('undisclosed', [statusGroup(email.address)])
  await installation.shards[1]?.stop()
  expect(await send(path, mail)).toBe(451)
  const other = await sentOn(0)
  expect(await send(other.returnPaths[0] ?? '', mail)).toBe(250)
  await installation.shards[1]?.start()
  await until('the front takes mail for it again', async () => (await send(path, mail)) === 250)
  expect(await typesOf(1, email)).toEqual(['email.bounced'])
})
