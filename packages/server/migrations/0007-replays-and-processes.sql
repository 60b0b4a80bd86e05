-- What became of a replay's deliveries, and which processes there are.

alter table replay
  -- whether what it queues is written down; not of replays that an earlier release began
  add column traced boolean not null default false,
  -- what became of it, once nothing of it waits any more and replay_delivery has forgotten it
  add column delivered bigint,
  add column failed bigint;
create index replay_uncounted on replay (account_id, id) where traced and delivered is null;

-- What a replay has queued; written with each of its batches, forgotten once it is counted for good.
create table replay_delivery (
  account_id uuid not null,
  replay_id uuid not null,
  delivery_id uuid not null,
  primary key (account_id, replay_id, delivery_id)
);

-- Every process says here that it lives and what it does, every few seconds.
create table process (
  id uuid primary key,
  host text not null,
  role text not null,
  version text not null,
  started_at timestamptz not null,
  last_seen_at timestamptz not null default now(),
  in_flight integer not null,
  held integer not null,
  unsettled integer not null,
  accepted_per_second float8 not null,
  delivered_per_second float8 not null,
  failed_per_second float8 not null
) with (fillfactor = 50);

-- the operator counts them
create index endpoint_disabled on endpoint (account_id, id)
  where kind = 'events' and deleted_at is null and status = 'disabled';
