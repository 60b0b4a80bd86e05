-- The way of the data: account → endpoint, signing_key; outcome → event → delivery (+ waiting) → attempt.
-- account_id leads every primary key of an account's table, so that an account can be moved whole.

create type event_type as enum ('email.delivered', 'email.bounced', 'email.failed', 'email.unsubscribed');
create type delivery_state as enum ('pending', 'failed', 'delivered', 'exhausted');
create type attempt_trigger as enum ('schedule', 'manual', 'replay', 'test');

create table account (
  id uuid primary key,
  name text not null,
  max_endpoints integer not null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);

create index account_deleted on account (deleted_at) where deleted_at is not null;

create table api_key (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  scopes text[] not null,
  prefix text not null,
  -- SHA-256 of the whole key; a key has 178 bits, so a slow hash would add nothing
  hash bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (account_id, id)
);
create unique index api_key_hash on api_key (hash);

create table endpoint (
  account_id uuid not null,
  id uuid not null,
  url text not null,
  events event_type[] not null,
  description text not null default '',
  status text not null check (status in ('enabled', 'disabled')),
  disabled_reason text check (disabled_reason in ('manual', 'gone', 'failing')),
  -- extra request headers: names in clear for lists, name → value sealed as one JSON object
  header_names text[] not null default '{}',
  headers_sealed bytea,
  rate_limit_per_second integer,
  -- raised by every change that a sender must see: url, headers, status, signing keys
  version bigint not null default 1,
  last_sequence bigint not null default 0,
  failures_in_row integer not null default 0,
  failing_since timestamptz,
  -- set when it is enabled again with a backlog, which drains at a bounded pace until nothing is due any more
  draining_since timestamptz,
  -- token bucket of an endpoint with a rate limit, or that drains; spent by the statement that claims
  bucket_tokens double precision not null default 0,
  bucket_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (account_id, id)
) with (
  -- last_sequence changes with every accepted batch: room for HOT updates beside the row
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_analyze_scale_factor = 0.05,
  autovacuum_vacuum_cost_delay = 0
);

create index endpoint_live on endpoint (account_id, id) where deleted_at is null;
create index endpoint_deleted on endpoint (account_id, id) where deleted_at is not null;

create table signing_key (
  account_id uuid not null,
  endpoint_id uuid not null,
  id uuid not null,
  state text not null check (state in ('staged', 'primary', 'retired')),
  secret_prefix text not null,
  -- AES-256-GCM under a master key; null once retired
  secret_sealed bytea,
  created_at timestamptz not null default now(),
  promoted_at timestamptz,
  retired_at timestamptz,
  verified_count bigint not null default 0,
  last_verified_at timestamptz,
  primary key (account_id, endpoint_id, id),
  check ((state = 'retired') = (secret_sealed is null))
);
create unique index signing_key_one_primary on signing_key (account_id, endpoint_id) where state = 'primary';

-- Ids are UUIDv7: the id is the time, so ranges of days are ranges of ids and no table needs a created_at. A
-- delivery's id bears the millisecond of its event's, so the two are found, and dropped, together.
create table event (
  account_id uuid not null,
  id uuid not null,
  type event_type not null,
  -- 64-bit digests of (account, email_id) and of (account, recipient): one index answers both filters
  search_keys bigint[] not null,
  -- the exact bytes that every delivery signs and sends
  body bytea not null,
  erased_at timestamptz,
  primary key (account_id, id)
) partition by range (id);
create index event_search on event using gin (search_keys);

create table delivery (
  account_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  type event_type not null,
  state delivery_state not null default 'pending',
  -- why it was given up; the partial index below rests on it, so that a success stays a HOT update
  reason text,
  sequence bigint not null,
  attempt_count integer not null default 0,
  retries_used integer not null default 0,
  claim integer not null default 0,
  last_error_code text,
  last_attempt_at timestamptz,
  delivered_at timestamptz,
  primary key (account_id, id)
) partition by range (id);
create index delivery_sequence on delivery (account_id, endpoint_id, sequence);
create index delivery_exhausted on delivery (account_id, endpoint_id, sequence) where reason is not null;

create table attempt (
  account_id uuid not null,
  delivery_id uuid not null,
  id uuid not null,
  number integer not null,
  trigger attempt_trigger not null,
  duration_ms real not null,
  dns_ms real,
  connect_ms real,
  tls_ms real,
  first_byte_ms real,
  status_code smallint,
  error_code text,
  error_message text,
  response_headers text,
  response_body text,
  verified_by text,
  primary key (account_id, delivery_id, id)
) partition by range (delivery_id);

-- What is still to be sent. A finished delivery has no row here, so this stays as small as the backlog.
create table waiting (
  account_id uuid not null,
  delivery_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  -- not before this; while a process holds the row, the end of its lease
  due_at timestamptz not null,
  taken_by uuid,
  sequence bigint not null,
  -- raised by every claim, hand-off, manual retry and erasure: the fence against a late result
  claim integer not null default 0,
  -- how often in a row a process took it and was never heard of again
  lost_claims integer not null default 0,
  attempt_count integer not null default 0,
  retries_used integer not null default 0,
  trigger attempt_trigger not null default 'schedule',
  -- a delivery that was once delivered returns there when its manual attempt fails
  was_delivered boolean not null default false,
  primary key (account_id, delivery_id)
) with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_analyze_scale_factor = 0.05,
  autovacuum_vacuum_cost_delay = 0
);
-- leads from endpoint to endpoint, and within one to what is due
create index waiting_due on waiting (account_id, endpoint_id, due_at);

-- What must be unique across days.
create table outcome_key (
  account_id uuid not null,
  -- first 16 bytes of the SHA-256 of the reporter's outcome_id
  digest bytea not null,
  event_id uuid not null,
  primary key (account_id, digest)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

create table idempotency_key (
  -- the account, or the zero uuid for the operator
  account_id uuid not null,
  key text not null,
  request_digest bytea not null,
  status integer,
  response text,
  created_at timestamptz not null default now(),
  primary key (account_id, key)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
create index idempotency_key_age on idempotency_key (created_at);

-- Called inside the accept statement, so that an outcome of an account that is not there undoes the whole of it.
create function refuse_unknown_account(account_id uuid) returns uuid language plpgsql as $$
begin
  raise exception 'unknown account %', account_id using errcode = 'PH001';
end
$$;
