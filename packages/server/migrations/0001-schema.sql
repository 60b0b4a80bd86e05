-- The schema. Nothing has been released that could have made another one.

create type attempt_trigger as enum ('schedule', 'manual', 'replay', 'test');

create type delivery_state as enum ('pending', 'failed', 'delivered', 'exhausted');

create type event_type as enum ('email.delivered', 'email.bounced', 'email.failed', 'email.unsubscribed', 'email.complained', 'email.deferred', 'email.suppressed', 'webhook.warning', 'webhook.disabled', 'webhook.recovered', 'domain.warning', 'domain.recovered', 'sending.suspended');

-- A customer of the operator. Every row of a customer bears its id, first in each key.
create table account (
  id uuid not null,
  name text not null,
  max_endpoints integer not null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  notice_address text,
  brand_name text,
  brand_color text,
  brand_logo bytea,
  -- null: no limit
  messages_per_hour integer,
  messages_per_day integer,
  send_traceparent boolean not null default false,
  suspended_at timestamptz,
  suspended_reason text,
  -- earlier outcomes no longer count against it
  resumed_at timestamptz,
  constraint account_pkey primary key (id),
  constraint account_suspended_reason_check check ((suspended_at is null) = (suspended_reason is null))
);
-- the account code, by which credentials name their account
create unique index account_code on account (right(id::text, 8));
create index account_deleted on account (deleted_at) where deleted_at is not null;

-- An account that moves between shards: a row on the one that it leaves, and from the end of the copying one on the other.
-- `account` is its row of the table above while no shard has it.
create table account_move (
  account_id uuid not null,
  from_shard smallint not null,
  to_shard smallint not null,
  step text not null,
  account jsonb,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  constraint account_move_pkey primary key (account_id),
  constraint account_move_step_check check (step in ('copying', 'stopping', 'stopped', 'arrived', 'handed_over', 'left', 'cancelling', 'cancelled'))
);

-- A request that began before its account was taken away must not store anything after that.
create function refuse_moved_account() returns trigger language plpgsql as $$
begin
  if exists (select from account_move m where m.account_id = new.account_id)
    and not exists (select from account a where a.id = new.account_id) then
    raise exception 'the account % moves to another shard', new.account_id using errcode = 'PH001';
  end if;
  return new;
end
$$;

create table api_key (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  scopes text[] not null,
  prefix text not null,
  hash bytea not null,
  created_at timestamptz not null default now(),
  -- both null: the operator
  created_by_key uuid,
  created_by_portal_session uuid,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  constraint api_key_pkey primary key (account_id, id)
);
create unique index api_key_hash on api_key (hash);

-- One HTTP request, written when it has ended. Partitioned by the day of its delivery.
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
  request text,
  process integer,
  gave_up boolean,
  constraint attempt_pkey primary key (account_id, delivery_id, id)
) partition by range (delivery_id);
-- attempts are appended in the order of their ids, so that a few pages are enough to find those of the last minutes
create index attempt_time on attempt using brin (id) with (pages_per_range = 32);

-- Attempts counted by minute, hour and day. `process` is set while the process that counts may still add to the row.
create table attempt_stat (
  account_id uuid not null,
  at timestamptz not null,
  id bigint generated always as identity,
  endpoint_id uuid not null,
  width_seconds integer not null,
  process integer,
  result text not null,
  count bigint not null,
  latency_buckets smallint[] not null,
  latency_counts bigint[] not null,
  last_at timestamptz not null,
  constraint attempt_stat_pkey primary key (account_id, at, id)
);
create index attempt_stat_age on attempt_stat (width_seconds, at) where process is null;
create index attempt_stat_endpoint on attempt_stat (account_id, endpoint_id, at);
create index attempt_stat_process on attempt_stat (process, at) where process is not null;

-- Append-only: nothing changes an entry, and only the end of its account removes it.
create table audit_entry (
  account_id uuid not null,
  id uuid not null,
  at timestamptz not null default now(),
  actor text not null,
  api_key_id uuid,
  action text not null,
  target text not null,
  before jsonb,
  after jsonb,
  request_id text,
  portal_session_id uuid,
  operator_name text,
  operator_method text,
  constraint audit_entry_pkey primary key (account_id, id),
  constraint audit_entry_actor_check check (actor in ('operator', 'api_key', 'portal_session', 'recipient', 'system')),
  constraint audit_entry_operator_check check ((actor = 'operator') = (operator_name is not null)),
  constraint audit_entry_operator_method_check check ((operator_name is null) = (operator_method is null)),
  constraint audit_entry_api_key_check check ((actor = 'api_key') = (api_key_id is not null)),
  constraint audit_entry_portal_session_check check ((actor = 'portal_session') = (portal_session_id is not null))
);
create index audit_entry_action on audit_entry (account_id, action, id);
create index audit_entry_target on audit_entry (account_id, target, id);

create function keep_audit_entry() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if exists (select from account a where a.id = old.account_id and a.deleted_at is not null) then
      return old;
    end if;
    -- a copy of an account that another shard has
    if exists (select from account_move m where m.account_id = old.account_id and m.step in ('left', 'cancelled'))
      and not exists (select from account a where a.id = old.account_id) then
      return old;
    end if;
  end if;
  raise exception 'the audit log is append-only';
end
$$;
create trigger audit_entry_kept before update or delete on audit_entry
  for each row execute function keep_audit_entry();
-- every change by a customer or the operator writes an entry
create trigger audit_entry_of_own_account before insert on audit_entry
  for each row execute function refuse_moved_account();

-- One event for one endpoint. `claim` keeps the value that its row in `queue` had last.
create table delivery (
  account_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  type event_type not null,
  state delivery_state not null default 'pending',
  reason text,
  sequence bigint not null,
  attempt_count integer not null default 0,
  retries_used integer not null default 0,
  claim integer not null default 0,
  last_error_code text,
  last_attempt_at timestamptz,
  delivered_at timestamptz,
  constraint delivery_pkey primary key (account_id, id)
) partition by range (id);
create index delivery_exhausted on delivery (endpoint_id, sequence) where reason is not null;
create index delivery_given_up on delivery (account_id, id) where reason is not null;
create index delivery_not_delivered on delivery (endpoint_id, sequence) where type <> 'email.delivered';
create index delivery_sequence on delivery (endpoint_id, sequence);

create table email (
  account_id uuid not null,
  id uuid not null,
  from_address text not null,
  subject text not null,
  message_id text not null,
  tags json,
  metadata json,
  unsubscribable boolean not null,
  unsubscribe_list text,
  erased_at timestamptz,
  -- as in `event`
  trace_context bytea,
  constraint email_pkey primary key (account_id, id),
  constraint email_unsubscribe_list_check check (unsubscribable or unsubscribe_list is null)
) partition by range (id);
create trigger email_of_own_account before insert on email
  for each row execute function refuse_moved_account();

-- What is handed to the mail server. It goes when nobody waits for the email any more.
create table email_content (
  account_id uuid not null,
  email_id uuid not null,
  content bytea not null,
  constraint email_content_pkey primary key (account_id, email_id)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.01);

create table email_recipient (
  account_id uuid not null,
  email_id uuid not null,
  number smallint not null,
  field text not null,
  address text not null,
  state text not null default 'queued',
  reply json,
  event_id uuid,
  updated_at timestamptz not null default now(),
  refused_at timestamptz,
  folded_address text not null,
  constraint email_recipient_pkey primary key (account_id, email_id, number),
  constraint email_recipient_field_check check (field in ('to', 'cc', 'bcc')),
  constraint email_recipient_state_check check (state in ('queued', 'handed_over', 'delivered', 'bounced', 'failed'))
) partition by range (email_id);
-- bytewise, so that it also finds addresses by their first characters
create index email_recipient_address on email_recipient (account_id, folded_address text_pattern_ops, email_id);
create index email_recipient_refused on email_recipient (account_id, email_id) where refused_at is not null;

-- `version` rises with every change that an attempt must not miss: URL, headers, signing keys, status. `moving` is an enabled
-- endpoint whose account has been taken away: nothing is claimed for it.
create table endpoint (
  account_id uuid not null,
  id uuid not null,
  url text not null,
  events event_type[] not null,
  description text not null default '',
  status text not null,
  disabled_reason text,
  header_names text[] not null default '{}',
  headers_sealed bytea,
  rate_limit_per_second integer,
  -- empty: all events
  tags text[] not null default '{}',
  tag_keys bigint[] not null default '{}',
  sending_domains text[] not null default '{}',
  sending_domain_keys bigint[] not null default '{}',
  version bigint not null default 1,
  last_sequence bigint not null default 0,
  failures_in_row integer not null default 0,
  failing_since timestamptz,
  draining_since timestamptz,
  bucket_tokens float8 not null default 0,
  bucket_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  expired_deliveries bigint not null default 0,
  kind text not null default 'events',
  exhausted_since timestamptz,
  warned_exhausted_at timestamptz,
  warned_half_time_at timestamptz,
  disabled_told_at timestamptz,
  last_error_code text,
  certificate_expires_at timestamptz,
  gone_deliveries integer not null default 0,
  -- when the oldest of them was created
  gone_since timestamptz,
  loopback_origin text,
  standard_webhooks boolean not null default false,
  -- null: the operator's
  retry_base_seconds float8,
  retry_cap_seconds float8,
  attempt_timeout_seconds float8,
  -- in PEM, with its intermediates
  client_certificate text,
  client_key_sealed bytea,
  constraint endpoint_pkey primary key (account_id, id),
  constraint endpoint_client_certificate_check check ((client_certificate is null) = (client_key_sealed is null)),
  constraint endpoint_disabled_reason_check check (disabled_reason in ('manual', 'gone', 'failing')),
  constraint endpoint_kind_check check (kind in ('events', 'notices')),
  constraint endpoint_loopback_origin_check check (loopback_origin ~ '^http://(127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?$' and starts_with(url, loopback_origin || '/')),
  constraint endpoint_status_check check (status in ('enabled', 'disabled', 'moving'))
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.01, fillfactor = 50);
create index endpoint_deleted on endpoint (account_id, id) where deleted_at is not null;
create index endpoint_disabled on endpoint (account_id, id) where (kind = 'events') and deleted_at is null and (status = 'disabled');
create unique index endpoint_id on endpoint (id);
create index endpoint_live on endpoint (account_id, id) where deleted_at is null;
create unique index endpoint_one_for_notices on endpoint (account_id) where (kind = 'notices') and deleted_at is null;
create index endpoint_unwell on endpoint (account_id, id) where (kind = 'events') and deleted_at is null and (failing_since is not null or warned_exhausted_at is not null or (warned_half_time_at is not null));

-- When an account tested its endpoints last, to limit how often it may.
create table endpoint_check (
  account_id uuid not null,
  recent timestamptz[] not null,
  constraint endpoint_check_pkey primary key (account_id)
);

-- The address is kept only while the erasure runs. Its HMAC stays: a link in an older email still names the person.
create table erasure (
  account_id uuid not null,
  id uuid not null,
  state text not null default 'running',
  recipient text,
  events bigint not null default 0,
  deliveries bigint not null default 0,
  attempts bigint not null default 0,
  under_way_until timestamptz,
  finished_at timestamptz,
  address_mac bytea,
  constraint erasure_pkey primary key (account_id, id),
  constraint erasure_recipient_check check ((state = 'done') = (recipient is null)),
  constraint erasure_state_check check (state in ('running', 'done'))
);
create index erasure_address on erasure (account_id, address_mac);
create unique index erasure_id on erasure (id);
create index erasure_running on erasure (id) where state = 'running';

-- `body` holds the bytes that are signed and sent. `process` is the number under which its process counted the outcome; null if
-- the event does not count as one.
create table event (
  account_id uuid not null,
  id uuid not null,
  type event_type not null,
  search_keys bigint[] not null,
  body bytea not null,
  erased_at timestamptz,
  process integer,
  -- trace id, span id and flags of W3C Trace Context
  trace_context bytea,
  -- digests of its tags and sending domain, for the filters of endpoints; null if it has neither
  filter_keys bigint[],
  constraint event_pkey primary key (account_id, id)
) partition by range (id);
create index event_erased on event (account_id, id) where erased_at is not null;
create index event_not_delivered on event (account_id, id) where type <> 'email.delivered';
create index event_search on event using gin (search_keys);
-- for those of the last minutes, as for attempts
create index event_time on event using brin (id) with (pages_per_range = 32);

-- Recipients whose email the mail server has not taken yet.
create table handover (
  account_id uuid not null,
  email_id uuid not null,
  number smallint not null,
  due_at timestamptz not null default now(),
  taken_by uuid,
  claim integer not null default 0,
  tries integer not null default 0,
  reply json,
  constraint handover_pkey primary key (account_id, email_id, number)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.01, fillfactor = 70);
create index handover_due on handover (account_id, due_at);

create table idempotency_key (
  account_id uuid not null,
  key text not null,
  request_digest bytea not null,
  status integer,
  response text,
  created_at timestamptz not null default now(),
  constraint idempotency_key_pkey primary key (account_id, key)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.01);
create index idempotency_key_age on idempotency_key (created_at);

-- Which installation this database belongs to, and as which shard. `directory_version` counts the changes of `placement`.
create table installation (
  only_row boolean not null default true,
  id uuid not null default gen_random_uuid(),
  shard smallint not null default 0,
  directory_version bigint not null default 1,
  constraint installation_pkey primary key (only_row),
  constraint installation_only_row_check check (only_row),
  constraint installation_shard_check check (shard between 0 and 999)
);
insert into installation default values;

-- `number` is the code of the account.
create table mail_key (
  account_id uuid not null,
  id uuid not null,
  purpose text not null,
  number bigint not null,
  secret_sealed bytea not null,
  retired_at timestamptz,
  constraint mail_key_pkey primary key (account_id, id),
  constraint mail_key_number_check check (number >= 0 and number <= 4294967295),
  constraint mail_key_purpose_check check (purpose in ('token', 'address'))
);
create unique index mail_key_current on mail_key (account_id, purpose) where retired_at is null;
create index mail_key_number on mail_key (number) where purpose = 'token';

create table mail_source (
  kind text not null,
  last_at timestamptz not null,
  constraint mail_source_pkey primary key (kind)
);

-- The latest time of the database clock that maintenance trusted. Nothing is deleted for its age after the clock jumped.
create table maintenance_clock (
  only_row boolean not null default true,
  seen_at timestamptz not null default now(),
  jumped_at timestamptz,
  constraint maintenance_clock_pkey primary key (only_row),
  constraint maintenance_clock_only_row_check check (only_row)
);
insert into maintenance_clock default values;

-- For what expires while a request is served.
create function is_clock_trusted() returns boolean language sql stable as
$$ select jumped_at is null from maintenance_clock $$;

-- The named tokens of operators, only in shard 0.
create table operator_token (
  id uuid not null,
  name text not null,
  role text not null,
  hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  constraint operator_token_pkey primary key (id),
  constraint operator_token_role_check check (role in ('view', 'change'))
);
create unique index operator_token_hash on operator_token (hash);
create unique index operator_token_name on operator_token (name);

-- Outcome ids that were reported, as digests: the second report of an outcome is a duplicate.
create table outcome_key (
  account_id uuid not null,
  digest bytea not null,
  event_id uuid not null,
  constraint outcome_key_pkey primary key (account_id, digest)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.01);
-- digests are alike, and a small sample shows it
alter table outcome_key
  alter column account_id set statistics 20,
  alter column digest set statistics 20,
  alter column event_id set statistics 20;

-- Recipients counted by interval, event type and reason. `domains` are the largest domains among them, with their counts. `process`
-- is set while the process that counts may still add to the row.
create table outcome_stat (
  account_id uuid not null,
  at timestamptz not null,
  id bigint generated always as identity,
  width_seconds integer not null,
  process integer,
  type event_type not null,
  reason text not null,
  count bigint not null,
  domains text[] not null,
  domain_counts bigint[] not null,
  constraint outcome_stat_pkey primary key (account_id, at, id)
);
create index outcome_stat_age on outcome_stat (width_seconds, at) where process is null;
-- rows that still name domains
create index outcome_stat_named on outcome_stat (at) where process is null and domains <> '{}';
create index outcome_stat_process on outcome_stat (process, at) where process is not null;

-- The directory, only in shard 0: which shard owns an account. `version` is that of the directory after the last change.
create table placement (
  account_id uuid not null,
  shard smallint not null,
  version bigint not null,
  moving boolean not null default false,
  constraint placement_pkey primary key (account_id)
);
create unique index placement_code on placement (right(account_id::text, 8));
create unique index placement_version on placement (version);

create table portal_session (
  account_id uuid not null,
  id uuid not null,
  name text,
  logo_url text,
  scopes text[] not null,
  allowed_origins text[] not null,
  link_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  keys_expire_by timestamptz,
  exchanged_at timestamptz,
  revoked_at timestamptz,
  constraint portal_session_pkey primary key (account_id, id)
);
create unique index portal_session_id on portal_session (id);

-- The timeline of the write-ahead log. A standby that takes over starts another one, on which recent writes may be missing. Empty
-- if the server does not tell.
create function wal_timeline() returns text language plpgsql stable as $$
begin
  return left(pg_walfile_name(pg_current_wal_lsn()), 8);
exception when others then
  return '';
end
$$;

-- Living processes. Each renews its row; when `leased_until` is over, what the process held is due again. Numbers are
-- never used twice, so that nobody takes a late result for a current one.
create table process (
  number bigint generated always as identity,
  host text not null,
  role text not null,
  version text not null,
  started_at timestamptz not null,
  last_seen_at timestamptz not null default now(),
  leased_until timestamptz not null,
  timeline text not null default wal_timeline(),
  in_flight integer not null default 0,
  held integer not null default 0,
  unsettled integer not null default 0,
  accepted_per_second float8 not null default 0,
  delivered_per_second float8 not null default 0,
  failed_per_second float8 not null default 0,
  constraint process_pkey primary key (number)
) with (fillfactor = 50);

-- Mail providers whose webhooks report outcomes. The token in the URL is stored as its SHA-256.
create table provider_source (
  account_id uuid not null,
  id uuid not null,
  kind text not null,
  token_hash bytea not null,
  key_sealed bytea not null,
  created_at timestamptz not null default now(),
  last_at timestamptz,
  event_count bigint not null default 0,
  ignored_count bigint not null default 0,
  refused_count bigint not null default 0,
  constraint provider_source_pkey primary key (account_id, id)
);
create unique index provider_source_token on provider_source (token_hash);

-- What is due, or will be: a row exists exactly while its delivery is pending or failed. `process` is the number of the
-- process that holds it, null while nobody does. A result counts only if process and claim are still the same.
create table queue (
  account_id uuid not null,
  delivery_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  due_at timestamptz not null,
  process bigint,
  sequence bigint not null,
  claim integer not null default 0,
  lost_claims integer not null default 0,
  attempt_count integer not null default 0,
  retries_used integer not null default 0,
  trigger attempt_trigger not null default 'schedule',
  was_delivered boolean not null default false,
  -- a test event: claims take it before the other deliveries of its endpoint
  goes_first boolean not null default false,
  constraint queue_pkey primary key (account_id, delivery_id)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.01);
-- only what nobody holds: claims read nothing else
create index queue_due on queue (endpoint_id, due_at) where process is null;
-- nearly always empty, so that a claim finds out at no cost whether something goes first
create index queue_first on queue (endpoint_id, due_at) where process is null and goes_first;
create index queue_held on queue (process, endpoint_id) where process is not null;

-- How far each recipient of an email has come, so that a late report cannot contradict a final one.
create table recipient_state (
  account_id uuid not null,
  digest bytea not null,
  state text not null,
  event_id uuid not null,
  constraint recipient_state_pkey primary key (account_id, digest),
  constraint recipient_state_state_check check (state in ('delivered', 'bounced', 'failed'))
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.01);

create table replay (
  account_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  state text not null default 'running',
  from_id uuid not null,
  to_id uuid not null,
  states text[] not null,
  types event_type[] not null,
  total bigint not null,
  done bigint not null default 0,
  last_sequence bigint not null default 0,
  last_event_id uuid,
  paced_at timestamptz not null default now(),
  finished_at timestamptz,
  traced boolean not null default true,
  delivered bigint,
  failed bigint,
  constraint replay_pkey primary key (account_id, id),
  constraint replay_state_check check (state in ('running', 'done', 'cancelled'))
);
create index replay_of_endpoint on replay (account_id, endpoint_id, id);
create index replay_running on replay (paced_at) where state = 'running';
create index replay_uncounted on replay (account_id, id) where traced and delivered is null;

-- Deliveries that a replay queued and whose result it still counts.
create table replay_delivery (
  account_id uuid not null,
  replay_id uuid not null,
  delivery_id uuid not null,
  constraint replay_delivery_pkey primary key (account_id, replay_id, delivery_id)
);

-- `lost_checks`: for each record that was right once, how many daily checks in a row did not find it since. `check_due_at` is
-- null before the first check. Mail uses `return_path_domain` and `link_host` only while they and the domain are verified.
create table sending_domain (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  selector text not null,
  private_key_sealed bytea not null,
  public_key text not null,
  checks jsonb,
  checked_at timestamptz,
  verified_at timestamptz,
  lost_checks jsonb not null default '{}',
  check_due_at timestamptz,
  return_path_domain text,
  return_path_verified_at timestamptz,
  link_host text,
  link_host_verified_at timestamptz,
  constraint sending_domain_pkey primary key (account_id, id)
);
create index sending_domain_due on sending_domain (check_due_at) where check_due_at is not null;
create unique index sending_domain_name on sending_domain (account_id, name);
create unique index sending_domain_verified on sending_domain (name) where verified_at is not null;

create table session (
  account_id uuid not null,
  id uuid not null,
  kind text not null,
  token_hash bytea not null,
  bearer boolean not null,
  api_key_id uuid,
  operator_proof bytea,
  operator_token_id uuid,
  operator_name text,
  operator_method text,
  operator_role text,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  constraint session_pkey primary key (account_id, id),
  constraint session_api_key_check check ((kind = 'account') = (api_key_id is not null)),
  constraint session_operator_check check ((kind = 'operator') = (operator_name is not null and operator_method is not null and operator_role is not null)),
  constraint session_kind_check check (kind in ('account', 'portal', 'operator'))
);
create unique index session_token on session (token_hash);

-- How many messages an account with a limit has sent in an hour and on a day.
create table sent_count (
  account_id uuid not null,
  hour_at timestamptz not null,
  in_hour integer not null,
  day_at timestamptz not null,
  in_day integer not null,
  constraint sent_count_pkey primary key (account_id)
);

-- The shards of the installation, only in shard 0. A closed one gets no new accounts.
create table shard (
  number smallint not null,
  state text not null default 'open',
  constraint shard_pkey primary key (number),
  constraint shard_number_check check (number between 0 and 999),
  constraint shard_state_check check (state in ('open', 'closed'))
);
insert into shard (number) values (0);

create table signing_key (
  account_id uuid not null,
  endpoint_id uuid not null,
  id uuid not null,
  state text not null,
  secret_prefix text not null,
  secret_sealed bytea,
  created_at timestamptz not null default now(),
  promoted_at timestamptz,
  retired_at timestamptz,
  verified_count bigint not null default 0,
  last_verified_at timestamptz,
  constraint signing_key_pkey primary key (account_id, endpoint_id, id),
  constraint signing_key_secret_check check ((state = 'retired') = (secret_sealed is null)),
  constraint signing_key_state_check check (state in ('staged', 'primary', 'retired'))
);
create unique index signing_key_one_primary on signing_key (account_id, endpoint_id) where state = 'primary';

-- The processes that count attempts and outcomes. One that is silent has died: its last minutes are counted from its attempts and
-- events.
create table stat_process (
  number integer generated by default as identity,
  heard_at timestamptz not null default now(),
  counted_until timestamptz not null default now(),
  writes integer not null default 0,
  constraint stat_process_pkey primary key (number)
);

-- Addresses that get no more mail. Once erased, only the HMAC of the address is left. `by_recipient`: the recipient unsubscribed
-- with the email `email_id`, so its link can undo it.
create table suppression (
  account_id uuid not null,
  id uuid not null,
  address_mac bytea not null,
  address text,
  -- searched by its beginning
  folded_address text,
  reason text not null,
  scope text not null,
  list text,
  email_id text,
  event_id uuid,
  lapses_at timestamptz,
  lifted_at timestamptz,
  by_recipient boolean not null default false,
  constraint suppression_pkey primary key (account_id, id),
  constraint suppression_list_check check ((scope = 'list') = (list is not null)),
  constraint suppression_reason_check check (reason in ('bounce', 'domain_bounce', 'complaint', 'unsubscribe', 'manual')),
  constraint suppression_scope_check check (scope in ('all_mail', 'all_lists', 'list'))
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.01);
create index suppression_address on suppression (account_id, address_mac, id);
create index suppression_prefix on suppression (account_id, folded_address text_pattern_ops) where folded_address is not null;
create index suppression_reason on suppression (account_id, reason, coalesce(lapses_at, 'infinity'::timestamptz)) where lifted_at is null;
create unique index suppression_in_force on suppression (account_id, address_mac, reason, scope, coalesce(list, '')) where lifted_at is null;
-- Stops the accept statement before anything is stored.
create function refuse_unknown_account(account_id uuid) returns uuid language plpgsql as $$
begin
  raise exception 'unknown account %', account_id using errcode = 'PH001';
end
$$;

