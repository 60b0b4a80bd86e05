import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SourceAccepted } from '@posthorn/contract'
import type { Database } from '../../src/db/database.ts'
import { parseTypeId } from '../../src/domain/type-id.ts'
import { writePlacement } from '../../src/moves/placement.ts'
import { createSeal } from '../../src/seal/seal.ts'
import { parseMasterKeys } from '../../src/seal/master-keys.ts'
import { ask } from '../shards/report-at.ts'
import { bounceMail, statusGroup } from '../sources/mails.ts'
import { type SentEmail, sentEmail } from '../sources/sent-email.ts'
import type { Customer } from '../support/api.ts'
import { openPlace } from '../support/open-place.ts'
import { sendMail } from '../support/send-mail.ts'
import { openShards, type TestInstallation } from '../support/shards.ts'
import { verbContext } from '../verbs/verb-context.ts'

// A move takes an account away before every front has read that in the directory.

const domain = 'mail.acme.test'
let installation: TestInstallation
const databases: Database[] = []

beforeAll(async () => {
  installation = await openShards(2, {
    shard: { POSTHORN_RETURN_PATH_DOMAIN: domain },
    front: { POSTHORN_RETURN_PATH_DOMAIN: domain, POSTHORN_SMTP_PORT: '0' },
  })
  for (const shard of installation.shards) databases.push(await openPlace(shard.place))
})

afterAll(async () => {
  for (const database of databases) await database[Symbol.asyncDispose]()
  await installation[Symbol.asyncDispose]()
})

function at(shard: number): Database {
  return databases[shard] ?? expect.unreachable()
}

function uuid({ accountId }: Customer): string {
  return parseTypeId('acct', accountId) ?? ''
}

let emails = 0

type Sent = SentEmail & { readonly address: string }

async function emailOf(customer: Customer, shard: number): Promise<Sent> {
  const plain = verbContext(at(shard))
  const ctx = { ...plain, seal: createSeal(parseMasterKeys(installation.masterKeys), plain.random) }
  // the first report about a recipient would make later ones late
  const address = `reader${++emails}@example.org`
  return { ...(await sentEmail(ctx, uuid(customer), [address])), address }
}

/** What a move does to the shard that the account leaves. */
async function takeAway(customer: Customer, shard: number, step: string): Promise<void> {
  await at(shard).query(
    `with taken as (delete from account where id = $1 returning *)
     insert into account_move (account_id, from_shard, to_shard, step, account)
     select id, $2::smallint, 1 - $2::smallint, $3, to_jsonb(taken) from taken`,
    [uuid(customer), shard, step],
  )
}

/** Copies what a report needs to the other shard. */
async function copyTo(customer: Customer, shard: number): Promise<void> {
  const from = at(1 - shard)
  for (const table of ['email', 'email_recipient', 'mail_key', 'api_key']) {
    const [found] = await from.query<{ rows: object[] }>(
      `select json_agg(t) as rows from ${table} t where account_id = $1`,
      [uuid(customer)],
    )
    await at(shard).query(
      `insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`,
      [JSON.stringify(found?.rows)],
    )
  }
  const [move] = await from.query<{ account: object }>(
    'select account from account_move where account_id = $1',
    [uuid(customer)],
  )
  await at(shard).query('insert into account select * from json_populate_record(null::account, $1::json)', [
    JSON.stringify(move?.account),
  ])
}

function bounced(email: Sent): object {
  const report = { disposition: 'permanent', status: '5.1.1', reply: '550 5.1.1 User unknown' }
  const record = { line_id: email.id, return_path: email.returnPaths[0], recipient: email.address, ...report }
  return { records: [{ ...record, occurred_at: '2026-11-21T04:00:01.000Z' }] }
}

/** Sends a bounce like a mail server and resolves with the reply code. */
async function sendBounce(email: Sent): Promise<number> {
  const port = Number(installation.told.find(fields => 'port' in fields)?.['port'])
  const raw = bounceMail('undisclosed', [statusGroup(email.address)])
  return await sendMail(port, { to: email.returnPaths[0] ?? '', raw })
}

async function postMessage(email: Sent): Promise<Response> {
  const query = new URLSearchParams({ recipient: email.returnPaths[0] ?? '' })
  return await fetch(`${installation.url}/v1/sources/message?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${installation.adminToken}`, 'content-type': 'message/rfc822' },
    body: bounceMail('undisclosed', [statusGroup(email.address)]),
  })
}

async function signIn({ apiKey }: Customer): Promise<string> {
  const response = await fetch(`${installation.url}/v1/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: installation.url },
    body: JSON.stringify({ credential: apiKey }),
  })
  expect(response.ok).toBe(true)
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

test.each(['stopping', 'left'])('nothing is refused for good at the step %s', async step => {
  const customer = await installation.customerOn(0)
  const other = await installation.customerOn(1)
  const cookie = await signIn(customer)
  const email = await emailOf(customer, 0)
  const mixed = {
    records: [bounced(email), bounced(await emailOf(other, 1))].flatMap(one => Object.values(one).flat()),
  }
  await takeAway(customer, 0, step)

  // the shard believes a credential for a second
  const get = async (headers: Record<string, string>): Promise<Response> => {
    for (;;) {
      const answer = await fetch(`${installation.url}/v1/webhooks`, { headers })
      if (answer.status !== 200) return answer
      await answer.text()
    }
  }
  const [mail, page, ...answers] = await Promise.all([
    sendBounce(email),
    fetch(`${installation.url}/u/${email.unsubscribeLinks[0]}`),
    get({ authorization: `Bearer ${customer.apiKey}` }),
    get({ cookie }),
    postMessage(email),
    ask(installation, '/v1/sources/postfix', bounced(email)),
    ask(installation, '/v1/sources/postfix', mixed),
  ])
  expect(mail).toBe(451)
  for (const { status, headers } of [page, ...answers])
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
})

test('a report that arrives during a move is stored at the new shard', async () => {
  const customer = await installation.customerOn(0)
  const [email, inMail, byApi] = [
    await emailOf(customer, 0),
    await emailOf(customer, 0),
    await emailOf(customer, 0),
  ]
  await takeAway(customer, 0, 'left')
  const waiting = Promise.all([
    ask<SourceAccepted>(installation, '/v1/sources/postfix', bounced(email)),
    sendBounce(inMail),
    postMessage(byApi),
  ])
  await copyTo(customer, 1)
  await writePlacement(at(0), uuid(customer), { shard: 1, moving: false })
  const [report, mail, message] = await waiting
  expect([report.status, mail, message.status]).toEqual([202, 250, 202])
  const [{ count } = { count: 0 }] = await at(1).query<{ count: number }>(
    'select count(*)::int as count from event where account_id = $1',
    [uuid(customer)],
  )
  expect(count).toBe(3)
})

test('a key is not refused while the front cannot read the directory', async () => {
  const customer = await installation.customerOn(1)
  await installation.shards[0]?.stop()
  await takeAway(customer, 1, 'left')
  const headers = { authorization: `Bearer ${customer.apiKey}` }
  const answer = await fetch(`${installation.url}/v1/webhooks`, { headers })
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([503, 'account_moving'])
  await installation.shards[0]?.start()
})
