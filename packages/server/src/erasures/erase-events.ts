import type { EventType } from '@posthorn/contract'
import type { Queryable } from '../db/database.ts'
import { eventBody } from '../domain/event-body.ts'
import { foldedAddress } from '../domain/folded-address.ts'
import { typeId } from '../domain/type-id.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'
import { readEventData } from '../events/event-data.ts'
import { finalRecipientOf } from '../events/final-recipient.ts'
import { searchKey } from '../events/search-key.ts'
import type { RunningErasure } from './advance-erasures.ts'
import { eraseDeliveries } from './erase-deliveries.ts'

const batchMax = 200

/** Stands where the addresses stood, those of other recipients too: altered bytes must not travel under an old id. */
export const erasedAddress = 'erased@erased.invalid'

/**
 * Erases the next events that name the recipient and all that hangs on them; returns where it stopped, or null when
 * there is no further one. The events are locked first, against the share locks of retries and replays: they either
 * wait and see that the event is erased, or have committed and are found below.
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
  // digests can collide: the address itself decides
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
      'update event set body = $3, search_keys = $4, erased_at = now() where account_id = $1 and id = $2',
      [accountId, id, body, keys],
    )
  }
  await eraseDeliveries(
    tx,
    erasure,
    found.map(row => row.id),
    attemptTimeoutMs,
  )
  return last.id
}

/** Under which a person's events are found: as the one they were sent to, and as the one they went to in the end. */
function keysOf(accountId: string, recipient: string): bigint[] {
  return [searchKey(accountId, 'recipient', recipient), searchKey(accountId, 'final_recipient', recipient)]
}
