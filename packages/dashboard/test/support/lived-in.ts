import { openDatabase } from '../../../server/src/db/open-database.ts'
import type { Database } from '../../../server/src/db/database.ts'
import { uuidOf } from '../../../server/test/verbs/verb-context.ts'

const quarterMs = 900_000
const dayMs = 86_400_000

/** The recipients' domains with their share of the mail, and how often a domain bounces. */
const domains = [
  { name: 'gmail.com', share: 0.42, bounces: 0.009 },
  { name: 'outlook.com', share: 0.17, bounces: 0.014 },
  { name: 'yahoo.com', share: 0.11, bounces: 0.034 },
  { name: 'gmx.de', share: 0.08, bounces: 0.007 },
  { name: 'icloud.com', share: 0.06, bounces: 0.006 },
  { name: 'web.de', share: 0.05, bounces: 0.012 },
  { name: 'orange.fr', share: 0.04, bounces: 0.061 },
  { name: 'hotmail.co.uk', share: 0.03, bounces: 0.02 },
] as const

const bounceReasons = { invalid_recipient: 0.71, mailbox_disabled: 0.17, invalid_domain: 0.12 }
const failureReasons = {
  spam_rejected: 0.36,
  mailbox_full: 0.31,
  connection_timeout: 0.21,
  rate_limited: 0.12,
}
const unsubscribeReasons = { one_click: 0.8, link: 0.15, complaint: 0.05 }

export interface LivedIn {
  readonly databaseUrl: string
  readonly accountId: string
  readonly webhookIds: readonly string[]
  readonly days: number
}

/** Writes statistics as an account has them after some weeks: bounces doubled a month ago, and each endpoint failed for 150 minutes two days ago. */
export async function liveIn({ databaseUrl, accountId, webhookIds, days }: LivedIn): Promise<void> {
  await using db = await databaseOf(databaseUrl)
  const account = uuidOf('acct', accountId)
  await writeOutcomes(db, account, days)
  for (const webhookId of webhookIds) await writeAttempts(db, account, uuidOf('wh', webhookId), days)
}

/** Writes only the statistics of attempts, with the outage of each endpoint. */
export async function liveThroughOutage({
  databaseUrl,
  accountId,
  webhookIds,
  days,
}: LivedIn): Promise<void> {
  await using db = await databaseOf(databaseUrl)
  for (const webhookId of webhookIds) {
    await writeAttempts(db, uuidOf('acct', accountId), uuidOf('wh', webhookId), days)
  }
}

/** Leaves the statistics of the last `days`. */
export async function forgetBefore({ databaseUrl, accountId, days }: LivedIn): Promise<void> {
  await using db = await databaseOf(databaseUrl)
  await db.query(
    'delete from outcome_stat where account_id = $1 and at < now() - make_interval(days => $2)',
    [uuidOf('acct', accountId), days],
  )
  await db.query(
    'delete from attempt_stat where account_id = $1 and at < now() - make_interval(days => $2)',
    [uuidOf('acct', accountId), days],
  )
}

async function databaseOf(url: string): Promise<Database> {
  return await openDatabase({
    url,
    dataDir: '',
    connectionsMax: 1,
    onLost: error => {
      throw error
    },
  })
}

async function writeOutcomes(db: Database, account: string, days: number): Promise<void> {
  const nowMs = Date.now()
  const lastMs = Math.floor(nowMs / quarterMs) * quarterMs - quarterMs
  const rows: { at: Date; type: string; reason: string; count: number; domains: Map<string, number> }[] = []
  for (let n = 0; n < days * 24; n++) {
    const atMs = lastMs - n * 4 * quarterMs
    const mails = mailsAt(atMs)
    const worse = nowMs - atMs < 30 * dayMs ? 2 : 1
    const split = (shareOf: (domain: (typeof domains)[number]) => number) =>
      new Map(
        domains.map(domain => [
          domain.name,
          Math.round(mails * domain.share * shareOf(domain) + chance(atMs)),
        ]),
      )
    const add = (type: string, reason: string, counts: Map<string, number>): void => {
      const known = new Map([...counts].filter(([, count]) => count > 0))
      const others = Math.round(mails * 0.0004)
      const count =
        [...known.values()].reduce((sum, one) => sum + one, 0) + (type === 'email.delivered' ? others : 0)
      if (count > 0) rows.push({ at: new Date(atMs), type, reason, count, domains: known })
    }
    add(
      'email.delivered',
      '',
      split(({ bounces }) => 0.985 - bounces * worse),
    )
    for (const [reason, share] of Object.entries(bounceReasons)) {
      add(
        'email.bounced',
        reason,
        split(({ bounces }) => bounces * worse * share),
      )
    }
    for (const [reason, share] of Object.entries(failureReasons))
      add(
        'email.failed',
        reason,
        split(() => 0.006 * share),
      )
    for (const [reason, share] of Object.entries(unsubscribeReasons)) {
      add(
        'email.unsubscribed',
        reason,
        split(() => 0.008 * share * worse),
      )
    }
  }
  for (const { at, type, reason, count, domains: counts } of rows) {
    await db.query(
      `insert into outcome_stat (account_id, at, width_seconds, type, reason, count, domains, domain_counts)
       values ($1, $2, 900, $3::event_type, $4, $5, $6::text[], $7::bigint[])`,
      [
        account,
        at,
        type,
        reason,
        count,
        `{${[...counts.keys()].join()}}`,
        `{${[...counts.values()].join()}}`,
      ],
    )
  }
}

async function writeAttempts(db: Database, account: string, endpoint: string, days: number): Promise<void> {
  await db.query(
    `insert into attempt_stat (account_id, endpoint_id, at, width_seconds, result, count, last_at, latency_buckets, latency_counts)
     select $1, $2, to_timestamp(floor(extract(epoch from now()) / 900) * 900 - (quarter + 1) * 900), 900, result, n,
       to_timestamp(floor(extract(epoch from now()) / 900) * 900 - quarter * 900),
       array[24, 34, 48]::smallint[], array[n - n / 4 - n / 10, n / 4, n / 10]
     from generate_series(0, $3::int * 96) quarter
     cross join lateral (values
       ('delivered', case when quarter between 200 and 209 then 0 else (60 + 40 * sin(quarter / 15.3) + (quarter * 37) % 17)::bigint end),
       ('status_not_2xx', ((quarter * 7919) % 5 - 3)::bigint + case when quarter between 200 and 209 then 60 else 0 end),
       ('connect_timeout', ((quarter * 104729) % 9 - 7)::bigint)) as r (result, n)
     where n > 0`,
    [account, endpoint, days],
  )
}

/** More by day than by night, and a campaign on each Tuesday. */
function mailsAt(atMs: number): number {
  const at = new Date(atMs)
  const day = 260 + 220 * Math.sin(((at.getUTCHours() - 7) / 24) * 2 * Math.PI)
  const campaign = at.getUTCDay() === 2 && at.getUTCHours() >= 9 && at.getUTCHours() <= 11 ? 4_000 : 0
  return day + campaign
}

/** Between 0 and 0.4, the same for the same time, so that small counts do not vanish in rounding. */
function chance(atMs: number): number {
  return (((atMs / quarterMs) * 7_919) % 41) / 100
}
