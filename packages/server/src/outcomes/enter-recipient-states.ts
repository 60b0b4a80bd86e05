import type { Queryable } from '../db/database.ts'
import { plainArray } from '../db/array-literal.ts'
import type { EventType } from '../domain/event-type.ts'

/** What a recipient's email has become, by the event that says so. */
export interface RecipientStateChange {
  accountId: string
  eventId: string
  /** 16 bytes in hex for the email and the recipient. */
  digest: string
  state: 'delivered' | 'bounced' | 'failed'
}

/** What a recipient's email has become once an event of this type is told. */
export function stateAfter(type: EventType): RecipientStateChange['state'] {
  return type === 'email.delivered' ? 'delivered' : type === 'email.bounced' ? 'bounced' : 'failed'
}

/**
 * Enters states in order: nothing → delivered, bounced or failed; delivered → bounced or failed; nothing leaves those.
 * The rows stay locked until the transaction ends, and a second process waits for them and then sees the state that
 * was committed, so that of two reports of the same end one is entered.
 *
 * @returns the ids of the events whose state was entered
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
       -- in key order, so that two processes with the same recipients wait for each other instead of dead-locking
       order by account_id, decode(digest, 'hex')
       on conflict (account_id, digest) do update set state = excluded.state, event_id = excluded.event_id
       where recipient_state.state = 'delivered' and excluded.state <> 'delivered'
       returning event_id`,
      [
        plainArray(round.map(change => change.accountId)),
        plainArray(round.map(change => change.digest)),
        plainArray(round.map(change => change.state)),
        plainArray(round.map(change => change.eventId)),
      ],
    )
    for (const row of rows) entered.add(row.event_id)
  }
  return entered
}

/** One statement cannot change a row twice: the second report of a recipient waits for the next round. */
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
