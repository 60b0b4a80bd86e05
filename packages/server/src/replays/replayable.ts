/** Whether the event of `delivery d` exists and is not erased. The partial index event_erased makes this fast. */
export const isReplayable = `(d.reason is null or d.reason not in ('erased', 'expired'))
  and not exists (
    select from event erased
    where erased.account_id = d.account_id and erased.id = d.event_id and erased.erased_at is not null
  )`

/**
 * Whether the endpoint $2 of the account $1 has no delivery of `event v`. A delivery's id starts with the millisecond of
 * its event, so this reads a short range of the primary key. It skips test events, which belong to one endpoint and have
 * the search key 0, and events that the filter of the endpoint leaves out.
 */
export const isMissing = `v.erased_at is null and not 0 = any(v.search_keys)
  and not exists (
    select from delivery made
    where made.account_id = $1 and made.endpoint_id = $2 and made.event_id = v.id
      and made.id >= (substr(v.id::text, 1, 13) || '-0000-0000-000000000000')::uuid
      and made.id <= (substr(v.id::text, 1, 13) || '-ffff-ffff-ffffffffffff')::uuid
  )
  and exists (
    select from endpoint f
    where f.account_id = $1 and f.id = $2 and (f.tag_keys = '{}' or f.tag_keys && v.filter_keys)
      and (f.sending_domain_keys = '{}' or f.sending_domain_keys && v.filter_keys)
  )`
