import type { Queryable } from '../db/database.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'
import type { WaitingMail } from '../domain/waiting-mail.ts'
import { accountsThatWait } from './claim.ts'

/** Counting more rows would take too long. */
export const countedMax = 100_000

/** How many of the oldest emails of an account to look through for one that was refused. */
const lookedThroughMax = 100

/** Reads which emails wait for the mail server. The ids are ordered by time, so an index finds the oldest. */
export async function readWaitingMail(db: Queryable, nowMs: number): Promise<WaitingMail> {
  const [row] = await db.query<WaitingRow>(
    `with recursive ${accountsThatWait},
     oldest as materialized (
       select h.* from accounts a cross join lateral (
         select email_id, reply from handover where account_id = a.account_id order by email_id limit ${lookedThroughMax}
       ) h where a.account_id is not null
     )
     select (select count(*) from (select from handover limit ${countedMax}) h) as waiting,
       (select email_id from oldest order by email_id limit 1) as email_id,
       (select reply from oldest where reply is not null order by email_id limit 1) as reply`,
  )
  const emailId = row?.email_id ?? null
  return {
    waiting: row?.waiting ?? 0,
    oldestSeconds: emailId === null ? 0 : Math.max(0, Math.round((nowMs - uuidV7Ms(emailId)) / 1_000)),
    lastReply: row?.reply == null ? null : replyText(row.reply),
  }
}

interface WaitingRow {
  waiting: number
  email_id: string | null
  /** The result of `replyRecord`. */
  reply: { code: number | null; enhanced_code: string | null; message: string } | null
}

function replyText({ code, enhanced_code: enhanced, message }: NonNullable<WaitingRow['reply']>): string {
  return [code, enhanced, message].filter(part => part !== null && part !== '').join(' ')
}
