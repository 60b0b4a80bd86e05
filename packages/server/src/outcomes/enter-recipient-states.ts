import type { Queryable } from '../db/database.ts'
import { plainColumns } from '../db/array-literal.ts'
import type { EventType } from '../domain/event-type.ts'

/** The new state of a recipient, and the event that reports it. */
export interface RecipientStateChange {
  accountId: string
  eventId: string
  /** 16 bytes in hex for the email and the recipient. */
  digest: string
  state: 'delivered' | 'bounced' | 'failed'
}

/** The state of a recipient after an event of this type. */
export function stateAfter(type: EventType): RecipientStateChange['state'] {
  return type === 'email.delivered' ? 'delivered' : type === 'email.bounced' ? 'bounced' : 'failed'
}

/**
 * Stores new states: none → delivered, bounced or failed; delivered → bounced or failed; those are final. Another process waits
 * for the locked rows and then sees the committed state, so that only one of two equal reports is stored.
 * @returns the ids of the events whose state was stored
 */
export async function enterRecipientStates(
  tx: Queryable,
  changes: readonly RecipientStateChange[],
): Promise<Set<string>> {
  const entered = new Set<string>()
  for (const round of rounds(changes)) {
    const rows = await tx.query<{ event_id: string }>(
      `insert into recipient_state (account_id, digest, state, event_id)
       select account_id, decode(digest, 'hex'), state, event_id
       from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[]) as i (account_id, digest, state, event_id)
       -- in key order, so that two processes with the same recipients do not deadlock
       order by account_id, decode(digest, 'hex')
       on conflict (account_id, digest) do update set state = excluded.state, event_id = excluded.event_id
       where recipient_state.state = 'delivered' and excluded.state <> 'delivered'
       returning event_id`,
      plainColumns(round, 'accountId', 'digest', 'state', 'eventId'),
    )
    for (const row of rows) entered.add(row.event_id)
  }
  return entered
}

/** A statement cannot change a row twice, so the second report of a recipient is in the next round. */
function rounds(changes: readonly RecipientStateChange[]): RecipientStateChange[][] {
  const all: RecipientStateChange[][] = []
  const seen = new Map<string, number>()
  for (const change of changes) {
    const key = `${change.accountId} ${change.digest}`
    const round = seen.get(key) ?? 0
    seen.set(key, round + 1)
    ;(all[round] ??= []).push(change)
  }
  return all
}
