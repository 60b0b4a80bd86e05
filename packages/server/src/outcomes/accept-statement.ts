import type { PreparedStatement } from '../db/database.ts'
import { oncePerDay } from '../domain/partition-day.ts'

/**
 * Names the partitions of the events' day, because a statement on a partitioned table opens every partition. Events of several
 * days go to the tables themselves.
 */
export const acceptStatement = oncePerDay(
  (ofDay): PreparedStatement => ({
    name: `accept${ofDay}`,
    text: `
-- an unknown account stops the statement before it reads the events
with known as materialized (
  select case when a.id is null then refuse_unknown_account(i.id) end as refused
  from unnest($1::uuid[]) as i (id) left join account a on a.id = i.id and a.deleted_at is null
),
input as materialized (
  -- only the digests are unnested, because PostgreSQL finds elements of an array with nulls slowly
  select d.n::int as n, decode(d.digest, 'hex') as digest, ($1::uuid[])[($2::int[])[n]] as account_id,
    ($5::uuid[])[n] as event_id, ($3::event_type[])[($4::int[])[n]] as type
  from unnest($10::text[]) with ordinality as d (digest, n)
  where (select count(*) from known) > 0
),
-- in key order, so that two processes with the same outcomes do not deadlock
first_seen as (
  insert into outcome_key (account_id, digest, event_id)
  select account_id, digest, event_id from input where digest is not null order by account_id, digest, n
  on conflict do nothing
  returning event_id
),
fresh as materialized (
  select * from input where digest is null or event_id in (select event_id from first_seen)
),
-- hand over nothing to a process that has lost its lease
alive as materialized (
  select from process where number = $16::bigint and timeline = wal_timeline() for key share
),
locked as materialized (
  select e.account_id, e.id, e.events, e.version, e.last_sequence, e.failing_since is not null as failing,
    e.rate_limit_per_second is not null or e.draining_since is not null as limited,
    e.status = 'enabled' and e.failures_in_row < 3 as healthy, e.tag_keys, e.sending_domain_keys
  from endpoint e
  -- the process is locked before endpoints
  where (select count(*) from alive) >= 0
    and e.account_id = any (array(select distinct account_id from fresh)) and e.deleted_at is null
    and e.events && (select array_agg(distinct type) from fresh)
  order by e.account_id, e.id
  for no key update
),
-- the result names an endpoint by its place
open as materialized (
  select l.*, row_number() over ()::int as place, case
      when l.limited or not l.healthy or not exists (select from alive) then 0
      else coalesce(c.capacity, $14::int)
    end as capacity
  from locked l left join unnest($12::uuid[], $13::int[]) as c (endpoint_id, capacity) on c.endpoint_id = l.id
),
fan as materialized (
  select f.n, f.account_id, f.event_id, f.type, o.place, o.id as endpoint_id, o.limited, o.capacity,
    row_number() over of_endpoint as nth, o.last_sequence + row_number() over of_endpoint as sequence
  from fresh f join open o on o.account_id = f.account_id and f.type = any(o.events)
    and (o.tag_keys = '{}' or o.tag_keys && ($21::bigint[])[($20::int[])[f.n]:($20::int[])[f.n + 1] - 1])
    and (o.sending_domain_keys = '{}'
      or o.sending_domain_keys && ($21::bigint[])[($20::int[])[f.n]:($20::int[])[f.n + 1] - 1])
  window of_endpoint as (partition by o.place order by f.n)
),
handed as materialized (
  select fan.*, nth <= capacity and count(*) filter (where nth <= capacity) over in_order <= $15::int as handed_over,
    n is distinct from lag(n) over in_order as is_first,
    case when n is distinct from lag(n) over in_order then ($6::uuid[])[n]
      -- UUIDv7 of the event's millisecond: the time from its id, then random digits
      else (substr(event_id::text, 1, 13) || '-7' || substr(gen_random_uuid()::text, 16))::uuid end as delivery_id
  from fan
  window in_order as (order by n, place rows unbounded preceding)
),
numbered as (
  update endpoint e set last_sequence = e.last_sequence + f.deliveries
  from (select account_id, endpoint_id, count(*) as deliveries from fan group by account_id, endpoint_id) f
  where e.account_id = f.account_id and e.id = f.endpoint_id
),
stored_events as (
  insert into event${ofDay} (account_id, id, type, search_keys, body, process, trace_context, filter_keys)
  select account_id, event_id, type, ($9::bigint[])[($8::int[])[n]:($8::int[])[n + 1] - 1],
    substring($11::bytea from ($7::int[])[n] for ($7::int[])[n + 1] - ($7::int[])[n]),
    -- the default types are the first ones; others are not counted
    case when type <= 'email.unsubscribed' then $17::int end,
    nullif(substring($18::bytea from ($19::int[])[n] for ($19::int[])[n + 1] - ($19::int[])[n]), ''),
    nullif(($21::bigint[])[($20::int[])[n]:($20::int[])[n + 1] - 1], '{}')
  from fresh
),
stored_deliveries as (
  insert into delivery${ofDay} (account_id, id, endpoint_id, event_id, type, sequence)
  select account_id, delivery_id, endpoint_id, event_id, type, sequence from handed
),
queued as (
  insert into queue (account_id, delivery_id, endpoint_id, event_id, due_at, sequence, process, claim)
  select account_id, delivery_id, endpoint_id, event_id, now(), sequence, case when handed_over then $16::bigint end,
    handed_over::int
  from handed
)
select 'handed_over' as kind, null::int as n, null::uuid as id, null::bool as limited, null::int as deliveries,
  array_agg(n)::text as ns, array_agg(place)::text as places,
  array_agg(case when not is_first then delivery_id end)::text as ids,
  (select array_agg(id)::text from open) as endpoint_ids, (select array_agg(version)::text from open) as versions,
  (select array_agg(failing)::text from open) as failing,
  (select array_agg(last_sequence)::text from open) as last_sequences
from handed where handed_over
union all
select 'left', min(n), endpoint_id, bool_or(limited), count(*)::int, null, null, null, null, null, null, null
from handed where not handed_over group by endpoint_id
union all
select 'duplicate', i.n, k.event_id, null, null, null, null, null, null, null, null, null
from input i left join outcome_key k on k.account_id = i.account_id and k.digest = i.digest
where i.digest is not null and not exists (select from first_seen s where s.event_id = i.event_id)`,
  }),
)
