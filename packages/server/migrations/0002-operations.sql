-- Replays, erasures, checks of an endpoint; what the attempt log shows of a request; what retention has to tell.

create table replay (
  account_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  state text not null default 'running' check (state in ('running', 'done', 'cancelled')),
  -- the range of time as a range of ids: from the first on, before the second
  from_id uuid not null,
  to_id uuid not null,
  states text[] not null,
  types event_type[] not null,
  total bigint not null,
  done bigint not null default 0,
  -- how far it came: deliveries that exist by sequence, then events without a delivery by id
  last_sequence bigint not null default 0,
  last_event_id uuid,
  -- when its last batch was queued: the next one is as large as the time since then allows
  paced_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (account_id, id)
);
create index replay_of_endpoint on replay (account_id, endpoint_id, id);
create index replay_running on replay (paced_at) where state = 'running';

create table erasure (
  account_id uuid not null,
  id uuid not null,
  state text not null default 'running' check (state in ('running', 'done')),
  -- only while it runs: a receipt must not keep what it says is gone
  recipient text,
  events bigint not null default 0,
  deliveries bigint not null default 0,
  attempts bigint not null default 0,
  -- deliveries with an attempt under way when they were erased, and when the last of their leases ends
  under_way uuid[] not null default '{}',
  leased_until timestamptz,
  -- set to that when only those attempts are left: what they wrote down is removed afterwards
  under_way_until timestamptz,
  finished_at timestamptz,
  primary key (account_id, id),
  check ((state = 'done') = (recipient is null))
);
create unique index erasure_id on erasure (id);
create index erasure_running on erasure (id) where state = 'running';

-- When an account had its endpoints checked within the last minute.
create table endpoint_check (
  account_id uuid primary key,
  recent timestamptz[] not null
);

-- The signature, the user agent and the names of the customer's own headers, a line each; the rest is rebuilt.
alter table attempt add column request text;

-- Deliveries that retention gave up.
alter table endpoint add column expired_deliveries bigint not null default 0;

-- Most events tell of a delivery: who looks for the others finds them here, and the many cost this index nothing.
create index event_not_delivered on event (account_id, id) where type <> 'email.delivered';
-- replays leave them out
create index event_erased on event (account_id, id) where erased_at is not null;
create index delivery_not_delivered on delivery (account_id, endpoint_id, sequence) where type <> 'email.delivered';
