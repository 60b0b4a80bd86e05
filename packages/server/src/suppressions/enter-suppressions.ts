import { plainArray } from '../db/array-literal.ts'
import { textArray } from '../db/binary-array.ts'
import { foldedAddress } from '../domain/folded-address.ts'
import { domainBounceDays, type SuppressionCause } from '../domain/suppression.ts'
import type { MailKeyContext } from '../mail/mail-key.ts'
import { newId } from '../new-id.ts'
import { type AddressMac, addressMac } from './address-mac.ts'

/** A suppression that an event causes. */
export interface SuppressionEntry extends SuppressionCause {
  /** UUID. */
  readonly accountId: string
  readonly emailId: string
  /** UUID. */
  readonly eventId: string
  /** The address was erased: only its HMAC is stored. */
  readonly isErased?: boolean
}

/**
 * Adds suppressions in the transaction of the events that cause them. An existing suppression stays unchanged, except that
 * a domain bounce starts its period again, and that a recipient can no longer undo what somebody else confirms.
 */
export async function enterSuppressions(
  ctx: MailKeyContext,
  entries: readonly SuppressionEntry[],
): Promise<void> {
  if (entries.length === 0) return
  const macs = await macsOf(ctx, entries)
  await ctx.db.query(
    // without duplicates, because one statement cannot change a row twice; in key order, so that two processes with the
    // same addresses cannot deadlock
    `insert into suppression as s (account_id, id, address_mac, address, folded_address, reason, scope, list, email_id, event_id,
       lapses_at)
     select distinct on (account_id, mac, reason, scope, coalesce(list, ''))
       account_id, id, decode(mac, 'hex'), address, folded, reason, scope, list, email_id, event_id,
       case when reason = 'domain_bounce' then now() + $10::int * interval '1 day' end
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::uuid[],
         $11::text[])
       with ordinality as i (account_id, id, mac, address, reason, scope, list, email_id, event_id, folded, n)
     order by account_id, mac, reason, scope, coalesce(list, ''), n
     on conflict (account_id, address_mac, reason, scope, (coalesce(list, ''))) where lifted_at is null
     do update set lapses_at = excluded.lapses_at, by_recipient = false,
       email_id = case when excluded.lapses_at is null then s.email_id else excluded.email_id end,
       event_id = case when excluded.lapses_at is null then s.event_id else excluded.event_id end
     where excluded.lapses_at is not null or s.by_recipient`,
    [
      plainArray(entries.map(entry => entry.accountId)),
      plainArray(entries.map(() => newId(ctx))),
      plainArray(macs),
      textArray(entries.map(entry => (entry.isErased === true ? null : entry.address))),
      plainArray(entries.map(entry => entry.reason)),
      plainArray(entries.map(entry => entry.scope.type)),
      textArray(entries.map(({ scope }) => (scope.type === 'list' ? scope.id : null))),
      textArray(entries.map(entry => entry.emailId)),
      plainArray(entries.map(entry => entry.eventId)),
      domainBounceDays,
      textArray(entries.map(entry => (entry.isErased === true ? null : foldedAddress(entry.address)))),
    ],
  )
}

/** The macs in hex. It creates missing keys in the order of the accounts, to avoid deadlocks. */
async function macsOf(ctx: MailKeyContext, entries: readonly SuppressionEntry[]): Promise<string[]> {
  const ofAccount = new Map<string, AddressMac>()
  for (const accountId of [...new Set(entries.map(entry => entry.accountId))].toSorted()) {
    ofAccount.set(accountId, await addressMac(ctx, accountId))
  }
  return entries.flatMap(entry => ofAccount.get(entry.accountId)?.(entry.address).toString('hex') ?? [])
}
