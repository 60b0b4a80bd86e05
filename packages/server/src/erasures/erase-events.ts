import type { EventType } from '@posthorn/contract'
import type { Queryable } from '../db/database.ts'
import { countedOutcome } from '../domain/counted-outcome.ts'
import { erasedAddress } from '../domain/erased-address.ts'
import { eventBody } from '../domain/event-body.ts'
import { isOptIn } from '../domain/event-type.ts'
import { foldedAddress } from '../domain/folded-address.ts'
import { typeId } from '../domain/type-id.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'
import { readEventData } from '../events/event-data.ts'
import { finalRecipientOf } from '../events/final-recipient.ts'
import { searchKey } from '../events/search-key.ts'
import { removeDomains } from '../stats/remove-domains.ts'
import type { RunningErasure } from './advance-erasures.ts'
import { eraseDeliveries } from './erase-deliveries.ts'

const batchMax = 200

/**
 * Erases the next events that name the recipient, with their deliveries. Returns the last event, or null if there are no
 * more. It locks the events first, against the share locks of retries and replays: these wait and see the erased event,
 * or they have committed and this code finds their deliveries.
 */
export async function eraseEvents(
  tx: Queryable,
  erasure: RunningErasure,
  { afterEventId, attemptTimeoutMs }: { afterEventId: string; attemptTimeoutMs: number },
): Promise<string | null> {
  const { account_id: accountId, folded } = erasure
  const rows = await tx.query<{ id: string; type: EventType; body: Uint8Array; is_test: boolean }>(
    `select v.id, v.type::text as type, v.body, 0 = any(v.search_keys) as is_test from event v
     where v.account_id = $1 and v.search_keys && $2::bigint[] and v.id > $3 and v.erased_at is null
     order by v.id limit $4
     for update`,
    [accountId, keysOf(accountId, folded), afterEventId, batchMax],
  )
  const last = rows.at(-1)
  if (last === undefined) return null
  // digests can collide, so compare the address itself
  const found = rows
    .map(row => ({ ...row, data: readEventData(row.body) }))
    .filter(({ data }) =>
      [...data.to, finalRecipientOf(data) ?? ''].some(one => foldedAddress(one) === folded),
    )
  for (const { id, type, data, is_test } of found) {
    const body = eventBody({
      id: typeId('evt', id),
      type,
      data: { email_id: data.email_id, to: [erasedAddress] },
      createdAt: new Date(uuidV7Ms(id)).toISOString(),
    })
    const keys = [searchKey(accountId, 'email_id', data.email_id), ...(is_test ? [0n] : [])]
    await tx.query(
      'update event set body = $3, search_keys = $4, filter_keys = null, erased_at = now() where account_id = $1 and id = $2',
      [accountId, id, body, keys],
    )
  }
  await removeDomains(
    tx,
    found
      .filter(({ is_test, type }) => !is_test && !isOptIn(type))
      .map(({ id, type, data }) => ({ accountId, id, type, counted: countedOutcome(type, data) })),
  )
  await eraseDeliveries(
    tx,
    erasure,
    found.map(row => row.id),
    attemptTimeoutMs,
  )
  return last.id
}

/** The search keys of a person's events: as the recipient, and as the final recipient after forwarding. */
function keysOf(accountId: string, recipient: string): bigint[] {
  return [searchKey(accountId, 'recipient', recipient), searchKey(accountId, 'final_recipient', recipient)]
}
