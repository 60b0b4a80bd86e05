/** Of `delivery d`: its event is there and was not erased. Few are, and event_erased holds only those. */
export const isReplayable = `(d.reason is null or d.reason not in ('erased', 'expired'))
  and not exists (
    select from event erased
    where erased.account_id = d.account_id and erased.id = d.event_id and erased.erased_at is not null
  )`

/**
 * Of `event v`, with the account in $1 and the endpoint in $2: the endpoint has no delivery of it. Deliveries bear the
 * millisecond of their event, so one is looked for in a short range of the primary key. Test events were meant for
 * one endpoint alone and are marked by the search key 0.
 */
export const isMissing = `v.erased_at is null and not 0 = any(v.search_keys)
  and not exists (
    select from delivery made
    where made.account_id = $1 and made.endpoint_id = $2 and made.event_id = v.id
      and made.id >= (substr(v.id::text, 1, 13) || '-0000-0000-000000000000')::uuid
      and made.id <= (substr(v.id::text, 1, 13) || '-ffff-ffff-ffffffffffff')::uuid
  )`
