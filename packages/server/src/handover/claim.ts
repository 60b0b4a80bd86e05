import type { EmailCreate } from '@posthorn/contract'
import { plainColumns } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'
import { operatorId } from '../domain/operator-id.ts'
import { traceparentOf } from '../domain/traceparent.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'

/** One recipient's copy of an email that this process may offer to the mail server. */
export interface ClaimedHandover extends HandoverKey {
  /** How often it was offered before. */
  readonly tries: number
  readonly address: string
  /** Its outcome is known already, or its account is deleted: it must not be offered. */
  readonly isDecided: boolean
  readonly messageId: string
  readonly acceptedAtMs: number
  readonly content: EmailCreate
  /** The trace that its outcome will belong to. */
  readonly traceparent?: string | undefined
  readonly described: {
    readonly from: string
    readonly subject: string
    readonly tags: Record<string, string> | null
    readonly metadata: Record<string, string | number | boolean | null> | null
  }
}

/** Identifies a claimed hand-over; `claim` fences off results that come after the lease. */
export interface HandoverKey {
  readonly accountId: string
  /** UUID. */
  readonly emailId: string
  readonly number: number
  readonly claim: number
}

/** Claims what is due, round robin over accounts, so that one with a million emails does not delay the others. */
export async function claimHandovers(
  db: Queryable,
  { processId, leaseMs, capacity }: { processId: string; leaseMs: number; capacity: number },
): Promise<ClaimedHandover[]> {
  const claimed = await db.query<ClaimedRow>(
    `with recursive ${accountsThatWait},
     picked as materialized (
       select h.* from accounts a cross join lateral (
         select account_id, email_id, number, due_at from handover
         where account_id = a.account_id and due_at <= now() and ${sendsHere}
         order by due_at limit $3
         for update skip locked
       ) h where a.account_id is not null
     ),
     chosen as materialized (
       select account_id, email_id, number, row_number() over (partition by account_id order by due_at) as round
       from picked order by round, due_at limit $3
     )
     update handover h
     set claim = h.claim + 1, taken_by = $1, due_at = now() + make_interval(secs => $2::float8 / 1000)
     from chosen c
     where h.account_id = c.account_id and h.email_id = c.email_id and h.number = c.number
     returning h.account_id, h.email_id, h.number, h.claim, h.tries`,
    [processId, leaseMs, capacity],
  )
  return claimed.length === 0 ? [] : await withContent(db, claimed)
}

/** In how many milliseconds the next one is due; null if nothing waits. */
export async function nextHandoverInMs(db: Queryable): Promise<number | null> {
  const [row] = await db.query<{ in_ms: number | null }>(
    `with recursive ${accountsThatWait}
     select extract(epoch from min(h.due_at) - now())::float8 * 1000 as in_ms
     from accounts a cross join lateral (
       select due_at from handover where account_id = a.account_id and ${sendsHere} order by due_at limit 1
     ) h where a.account_id is not null`,
  )
  return row?.in_ms ?? null
}

/**
 * While its account moves to another shard, nothing is claimed: first here, and then on the other shard until it has it. The
 * operator's notices have no account.
 */
const sendsHere = `(a.account_id = '${operatorId}' or exists (select from account o where o.id = a.account_id))
  and not exists (select from account_move m where m.account_id = a.account_id and m.step = 'stopping')`

/** The accounts with emails that wait. It skips from account to account through the index, however many rows each has. */
export const accountsThatWait = `accounts as (
       (select account_id from handover order by account_id limit 1)
       union all
       select (select h.account_id from handover h where h.account_id > a.account_id order by h.account_id limit 1)
       from accounts a where a.account_id is not null
     )`

interface ClaimedRow {
  account_id: string
  email_id: string
  number: number
  claim: number
  tries: number
}

async function withContent(db: Queryable, claimed: readonly ClaimedRow[]): Promise<ClaimedHandover[]> {
  const rows = await db.query<
    ClaimedRow & {
      address: string
      is_decided: boolean
      from_address: string
      subject: string
      message_id: string
      tags: Record<string, string> | null
      metadata: ClaimedHandover['described']['metadata']
      trace_context: Uint8Array | null
      content: Uint8Array
    }
  >(
    `select i.*, r.address, r.state <> 'queued' or a.deleted_at is not null as is_decided, m.from_address, m.subject, m.message_id, m.tags, m.metadata, m.trace_context, c.content
     from unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::int[], $5::int[])
       as i (account_id, email_id, number, claim, tries)
     left join account a on a.id = i.account_id
     join email m on m.account_id = i.account_id and m.id = i.email_id
     join email_recipient r on r.account_id = i.account_id and r.email_id = i.email_id and r.number = i.number
     join email_content c on c.account_id = i.account_id and c.email_id = i.email_id`,
    plainColumns(claimed, 'account_id', 'email_id', 'number', 'claim', 'tries'),
  )
  return rows.map(row => ({
    accountId: row.account_id,
    emailId: row.email_id,
    number: row.number,
    claim: row.claim,
    tries: row.tries,
    address: row.address,
    isDecided: row.is_decided,
    messageId: row.message_id,
    acceptedAtMs: uuidV7Ms(row.email_id),
    content: JSON.parse(Buffer.from(row.content).toString('utf8')) as EmailCreate,
    traceparent: traceparentOf(row.trace_context) ?? undefined,
    described: { from: row.from_address, subject: row.subject, tags: row.tags, metadata: row.metadata },
  }))
}
