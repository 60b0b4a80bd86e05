-- Printed by tools/generate.ts from packages/server/migrations. Do not edit. Partitions are left out.

create type attempt_trigger as enum ('schedule', 'manual', 'replay', 'test');

create type delivery_state as enum ('pending', 'failed', 'delivered', 'exhausted');

create type event_type as enum ('email.delivered', 'email.bounced', 'email.failed', 'email.unsubscribed', 'email.complained', 'email.deferred', 'email.suppressed', 'webhook.warning', 'webhook.disabled', 'webhook.recovered', 'domain.warning', 'domain.recovered', 'sending.suspended');

create table account (
  id uuid not null,
  name text not null,
  max_endpoints integer not null,
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  notice_address text,
  brand_name text,
  brand_color text,
  brand_logo bytea,
  messages_per_hour integer,
  messages_per_day integer,
  send_traceparent boolean not null default false,
  suspended_at timestamp with time zone,
  suspended_reason text,
  resumed_at timestamp with time zone,
  constraint account_pkey PRIMARY KEY (id),
  constraint account_suspended_reason_check CHECK ((suspended_at IS NULL) = (suspended_reason IS NULL))
);
CREATE UNIQUE INDEX account_code ON public.account USING btree ("right"((id)::text, 8));
CREATE INDEX account_deleted ON public.account USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

create table account_move (
  account_id uuid not null,
  from_shard smallint not null,
  to_shard smallint not null,
  step text not null,
  account jsonb,
  started_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  constraint account_move_pkey PRIMARY KEY (account_id),
  constraint account_move_step_check CHECK (step = ANY (ARRAY['copying'::text, 'stopping'::text, 'stopped'::text, 'arrived'::text, 'handed_over'::text, 'left'::text, 'cancelling'::text, 'cancelled'::text]))
);

create table api_key (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  scopes text[] not null,
  prefix text not null,
  hash bytea not null,
  created_at timestamp with time zone not null default now(),
  created_by_key uuid,
  created_by_portal_session uuid,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint api_key_pkey PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX api_key_hash ON public.api_key USING btree (hash);

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
  constraint attempt_pkey PRIMARY KEY (account_id, delivery_id, id)
) partition by range (delivery_id);
CREATE INDEX attempt_time ON ONLY public.attempt USING brin (id) WITH (pages_per_range='32');

create table attempt_stat (
  account_id uuid not null,
  at timestamp with time zone not null,
  id bigint not null,
  endpoint_id uuid not null,
  width_seconds integer not null,
  process integer,
  result text not null,
  count bigint not null,
  latency_buckets smallint[] not null,
  latency_counts bigint[] not null,
  last_at timestamp with time zone not null,
  constraint attempt_stat_pkey PRIMARY KEY (account_id, at, id)
);
CREATE INDEX attempt_stat_age ON public.attempt_stat USING btree (width_seconds, at) WHERE (process IS NULL);
CREATE INDEX attempt_stat_endpoint ON public.attempt_stat USING btree (account_id, endpoint_id, at);
CREATE INDEX attempt_stat_process ON public.attempt_stat USING btree (process, at) WHERE (process IS NOT NULL);

create table audit_entry (
  account_id uuid not null,
  id uuid not null,
  at timestamp with time zone not null default now(),
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
  constraint audit_entry_pkey PRIMARY KEY (account_id, id),
  constraint audit_entry_actor_check CHECK (actor = ANY (ARRAY['operator'::text, 'api_key'::text, 'portal_session'::text, 'recipient'::text, 'system'::text])),
  constraint audit_entry_api_key_check CHECK ((actor = 'api_key'::text) = (api_key_id IS NOT NULL)),
  constraint audit_entry_operator_check CHECK ((actor = 'operator'::text) = (operator_name IS NOT NULL)),
  constraint audit_entry_operator_method_check CHECK ((operator_name IS NULL) = (operator_method IS NULL)),
  constraint audit_entry_portal_session_check CHECK ((actor = 'portal_session'::text) = (portal_session_id IS NOT NULL))
);
CREATE INDEX audit_entry_action ON public.audit_entry USING btree (account_id, action, id);
CREATE INDEX audit_entry_target ON public.audit_entry USING btree (account_id, target, id);

create table delivery (
  account_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  type event_type not null,
  state delivery_state not null default 'pending'::delivery_state,
  reason text,
  sequence bigint not null,
  attempt_count integer not null default 0,
  retries_used integer not null default 0,
  claim integer not null default 0,
  last_error_code text,
  last_attempt_at timestamp with time zone,
  delivered_at timestamp with time zone,
  constraint delivery_pkey PRIMARY KEY (account_id, id)
) partition by range (id);
CREATE INDEX delivery_exhausted ON ONLY public.delivery USING btree (endpoint_id, sequence) WHERE (reason IS NOT NULL);
CREATE INDEX delivery_given_up ON ONLY public.delivery USING btree (account_id, id) WHERE (reason IS NOT NULL);
CREATE INDEX delivery_not_delivered ON ONLY public.delivery USING btree (endpoint_id, sequence) WHERE (type <> 'email.delivered'::event_type);
CREATE INDEX delivery_sequence ON ONLY public.delivery USING btree (endpoint_id, sequence);

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
  erased_at timestamp with time zone,
  trace_context bytea,
  constraint email_pkey PRIMARY KEY (account_id, id),
  constraint email_unsubscribe_list_check CHECK (unsubscribable OR unsubscribe_list IS NULL)
) partition by range (id);

create table email_content (
  account_id uuid not null,
  email_id uuid not null,
  content bytea not null,
  constraint email_content_pkey PRIMARY KEY (account_id, email_id)
) with (autovacuum_analyze_scale_factor=0.05, autovacuum_vacuum_scale_factor=0.01);

create table email_recipient (
  account_id uuid not null,
  email_id uuid not null,
  number smallint not null,
  field text not null,
  address text not null,
  state text not null default 'queued'::text,
  reply json,
  event_id uuid,
  updated_at timestamp with time zone not null default now(),
  refused_at timestamp with time zone,
  folded_address text not null,
  constraint email_recipient_pkey PRIMARY KEY (account_id, email_id, number),
  constraint email_recipient_field_check CHECK (field = ANY (ARRAY['to'::text, 'cc'::text, 'bcc'::text])),
  constraint email_recipient_state_check CHECK (state = ANY (ARRAY['queued'::text, 'handed_over'::text, 'delivered'::text, 'bounced'::text, 'failed'::text]))
) partition by range (email_id);
CREATE INDEX email_recipient_address ON ONLY public.email_recipient USING btree (account_id, folded_address text_pattern_ops, email_id);
CREATE INDEX email_recipient_refused ON ONLY public.email_recipient USING btree (account_id, email_id) WHERE (refused_at IS NOT NULL);

create table endpoint (
  account_id uuid not null,
  id uuid not null,
  url text not null,
  events event_type[] not null,
  description text not null default ''::text,
  status text not null,
  disabled_reason text,
  header_names text[] not null default '{}'::text[],
  headers_sealed bytea,
  rate_limit_per_second integer,
  tags text[] not null default '{}'::text[],
  tag_keys bigint[] not null default '{}'::bigint[],
  sending_domains text[] not null default '{}'::text[],
  sending_domain_keys bigint[] not null default '{}'::bigint[],
  version bigint not null default 1,
  last_sequence bigint not null default 0,
  failures_in_row integer not null default 0,
  failing_since timestamp with time zone,
  draining_since timestamp with time zone,
  bucket_tokens double precision not null default 0,
  bucket_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  expired_deliveries bigint not null default 0,
  kind text not null default 'events'::text,
  exhausted_since timestamp with time zone,
  warned_exhausted_at timestamp with time zone,
  warned_half_time_at timestamp with time zone,
  disabled_told_at timestamp with time zone,
  last_error_code text,
  certificate_expires_at timestamp with time zone,
  gone_deliveries integer not null default 0,
  gone_since timestamp with time zone,
  loopback_origin text,
  standard_webhooks boolean not null default false,
  retry_base_seconds double precision,
  retry_cap_seconds double precision,
  attempt_timeout_seconds double precision,
  client_certificate text,
  client_key_sealed bytea,
  constraint endpoint_pkey PRIMARY KEY (account_id, id),
  constraint endpoint_client_certificate_check CHECK ((client_certificate IS NULL) = (client_key_sealed IS NULL)),
  constraint endpoint_disabled_reason_check CHECK (disabled_reason = ANY (ARRAY['manual'::text, 'gone'::text, 'failing'::text])),
  constraint endpoint_kind_check CHECK (kind = ANY (ARRAY['events'::text, 'notices'::text])),
  constraint endpoint_loopback_origin_check CHECK (loopback_origin ~ '^http://(127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?$'::text AND starts_with(url, loopback_origin || '/'::text)),
  constraint endpoint_status_check CHECK (status = ANY (ARRAY['enabled'::text, 'disabled'::text, 'moving'::text]))
) with (autovacuum_analyze_scale_factor=0.05, autovacuum_vacuum_scale_factor=0.01, fillfactor=50);
CREATE INDEX endpoint_deleted ON public.endpoint USING btree (account_id, id) WHERE (deleted_at IS NOT NULL);
CREATE INDEX endpoint_disabled ON public.endpoint USING btree (account_id, id) WHERE ((kind = 'events'::text) AND (deleted_at IS NULL) AND (status = 'disabled'::text));
CREATE UNIQUE INDEX endpoint_id ON public.endpoint USING btree (id);
CREATE INDEX endpoint_live ON public.endpoint USING btree (account_id, id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX endpoint_one_for_notices ON public.endpoint USING btree (account_id) WHERE ((kind = 'notices'::text) AND (deleted_at IS NULL));
CREATE INDEX endpoint_unwell ON public.endpoint USING btree (account_id, id) WHERE ((kind = 'events'::text) AND (deleted_at IS NULL) AND ((failing_since IS NOT NULL) OR (warned_exhausted_at IS NOT NULL) OR (warned_half_time_at IS NOT NULL)));

create table endpoint_check (
  account_id uuid not null,
  recent timestamp with time zone[] not null,
  constraint endpoint_check_pkey PRIMARY KEY (account_id)
);

create table erasure (
  account_id uuid not null,
  id uuid not null,
  state text not null default 'running'::text,
  recipient text,
  events bigint not null default 0,
  deliveries bigint not null default 0,
  attempts bigint not null default 0,
  under_way_until timestamp with time zone,
  finished_at timestamp with time zone,
  address_mac bytea,
  constraint erasure_pkey PRIMARY KEY (account_id, id),
  constraint erasure_recipient_check CHECK ((state = 'done'::text) = (recipient IS NULL)),
  constraint erasure_state_check CHECK (state = ANY (ARRAY['running'::text, 'done'::text]))
);
CREATE INDEX erasure_address ON public.erasure USING btree (account_id, address_mac);
CREATE UNIQUE INDEX erasure_id ON public.erasure USING btree (id);
CREATE INDEX erasure_running ON public.erasure USING btree (id) WHERE (state = 'running'::text);

create table event (
  account_id uuid not null,
  id uuid not null,
  type event_type not null,
  search_keys bigint[] not null,
  body bytea not null,
  erased_at timestamp with time zone,
  process integer,
  trace_context bytea,
  filter_keys bigint[],
  constraint event_pkey PRIMARY KEY (account_id, id)
) partition by range (id);
CREATE INDEX event_erased ON ONLY public.event USING btree (account_id, id) WHERE (erased_at IS NOT NULL);
CREATE INDEX event_not_delivered ON ONLY public.event USING btree (account_id, id) WHERE (type <> 'email.delivered'::event_type);
CREATE INDEX event_search ON ONLY public.event USING gin (search_keys);
CREATE INDEX event_time ON ONLY public.event USING brin (id) WITH (pages_per_range='32');

create table handover (
  account_id uuid not null,
  email_id uuid not null,
  number smallint not null,
  due_at timestamp with time zone not null default now(),
  taken_by uuid,
  claim integer not null default 0,
  tries integer not null default 0,
  reply json,
  constraint handover_pkey PRIMARY KEY (account_id, email_id, number)
) with (autovacuum_analyze_scale_factor=0.05, autovacuum_vacuum_scale_factor=0.01, fillfactor=70);
CREATE INDEX handover_due ON public.handover USING btree (account_id, due_at);

create table idempotency_key (
  account_id uuid not null,
  key text not null,
  request_digest bytea not null,
  status integer,
  response text,
  created_at timestamp with time zone not null default now(),
  constraint idempotency_key_pkey PRIMARY KEY (account_id, key)
) with (autovacuum_analyze_scale_factor=0.05, autovacuum_vacuum_scale_factor=0.01);
CREATE INDEX idempotency_key_age ON public.idempotency_key USING btree (created_at);

create table installation (
  only_row boolean not null default true,
  id uuid not null default gen_random_uuid(),
  shard smallint not null default 0,
  directory_version bigint not null default 1,
  constraint installation_pkey PRIMARY KEY (only_row),
  constraint installation_only_row_check CHECK (only_row),
  constraint installation_shard_check CHECK (shard >= 0 AND shard <= 999)
);

create table mail_key (
  account_id uuid not null,
  id uuid not null,
  purpose text not null,
  number bigint not null,
  secret_sealed bytea not null,
  retired_at timestamp with time zone,
  constraint mail_key_pkey PRIMARY KEY (account_id, id),
  constraint mail_key_number_check CHECK (number >= 0 AND number <= '4294967295'::bigint),
  constraint mail_key_purpose_check CHECK (purpose = ANY (ARRAY['token'::text, 'address'::text]))
);
CREATE UNIQUE INDEX mail_key_current ON public.mail_key USING btree (account_id, purpose) WHERE (retired_at IS NULL);
CREATE INDEX mail_key_number ON public.mail_key USING btree (number) WHERE (purpose = 'token'::text);

create table mail_source (
  kind text not null,
  last_at timestamp with time zone not null,
  constraint mail_source_pkey PRIMARY KEY (kind)
);

create table maintenance_clock (
  only_row boolean not null default true,
  seen_at timestamp with time zone not null default now(),
  jumped_at timestamp with time zone,
  constraint maintenance_clock_pkey PRIMARY KEY (only_row),
  constraint maintenance_clock_only_row_check CHECK (only_row)
);

create table operator_token (
  id uuid not null,
  name text not null,
  role text not null,
  hash bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  constraint operator_token_pkey PRIMARY KEY (id),
  constraint operator_token_role_check CHECK (role = ANY (ARRAY['view'::text, 'change'::text]))
);
CREATE UNIQUE INDEX operator_token_hash ON public.operator_token USING btree (hash);
CREATE UNIQUE INDEX operator_token_name ON public.operator_token USING btree (name);

create table outcome_key (
  account_id uuid not null,
  digest bytea not null,
  event_id uuid not null,
  constraint outcome_key_pkey PRIMARY KEY (account_id, digest)
) with (autovacuum_analyze_scale_factor=0.05, autovacuum_vacuum_scale_factor=0.01);

create table outcome_stat (
  account_id uuid not null,
  at timestamp with time zone not null,
  id bigint not null,
  width_seconds integer not null,
  process integer,
  type event_type not null,
  reason text not null,
  count bigint not null,
  domains text[] not null,
  domain_counts bigint[] not null,
  constraint outcome_stat_pkey PRIMARY KEY (account_id, at, id)
);
CREATE INDEX outcome_stat_age ON public.outcome_stat USING btree (width_seconds, at) WHERE (process IS NULL);
CREATE INDEX outcome_stat_named ON public.outcome_stat USING btree (at) WHERE ((process IS NULL) AND (domains <> '{}'::text[]));
CREATE INDEX outcome_stat_process ON public.outcome_stat USING btree (process, at) WHERE (process IS NOT NULL);

create table placement (
  account_id uuid not null,
  shard smallint not null,
  version bigint not null,
  moving boolean not null default false,
  constraint placement_pkey PRIMARY KEY (account_id)
);
CREATE UNIQUE INDEX placement_code ON public.placement USING btree ("right"((account_id)::text, 8));
CREATE UNIQUE INDEX placement_version ON public.placement USING btree (version);

create table portal_session (
  account_id uuid not null,
  id uuid not null,
  name text,
  logo_url text,
  scopes text[] not null,
  allowed_origins text[] not null,
  link_hash bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  keys_expire_by timestamp with time zone,
  exchanged_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint portal_session_pkey PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX portal_session_id ON public.portal_session USING btree (id);

create table process (
  number bigint not null,
  host text not null,
  role text not null,
  version text not null,
  started_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null default now(),
  leased_until timestamp with time zone not null,
  timeline text not null default wal_timeline(),
  in_flight integer not null default 0,
  held integer not null default 0,
  unsettled integer not null default 0,
  accepted_per_second double precision not null default 0,
  delivered_per_second double precision not null default 0,
  failed_per_second double precision not null default 0,
  constraint process_pkey PRIMARY KEY (number)
) with (fillfactor=50);

create table provider_source (
  account_id uuid not null,
  id uuid not null,
  kind text not null,
  token_hash bytea not null,
  key_sealed bytea not null,
  created_at timestamp with time zone not null default now(),
  last_at timestamp with time zone,
  event_count bigint not null default 0,
  ignored_count bigint not null default 0,
  refused_count bigint not null default 0,
  constraint provider_source_pkey PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX provider_source_token ON public.provider_source USING btree (token_hash);

create table queue (
  account_id uuid not null,
  delivery_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  due_at timestamp with time zone not null,
  process bigint,
  sequence bigint not null,
  claim integer not null default 0,
  lost_claims integer not null default 0,
  attempt_count integer not null default 0,
  retries_used integer not null default 0,
  trigger attempt_trigger not null default 'schedule'::attempt_trigger,
  was_delivered boolean not null default false,
  goes_first boolean not null default false,
  constraint queue_pkey PRIMARY KEY (account_id, delivery_id)
) with (autovacuum_analyze_scale_factor=0.05, autovacuum_vacuum_scale_factor=0.01);
CREATE INDEX queue_due ON public.queue USING btree (endpoint_id, due_at) WHERE (process IS NULL);
CREATE INDEX queue_first ON public.queue USING btree (endpoint_id, due_at) WHERE ((process IS NULL) AND goes_first);
CREATE INDEX queue_held ON public.queue USING btree (process, endpoint_id) WHERE (process IS NOT NULL);

create table recipient_state (
  account_id uuid not null,
  digest bytea not null,
  state text not null,
  event_id uuid not null,
  constraint recipient_state_pkey PRIMARY KEY (account_id, digest),
  constraint recipient_state_state_check CHECK (state = ANY (ARRAY['delivered'::text, 'bounced'::text, 'failed'::text]))
) with (autovacuum_analyze_scale_factor=0.05, autovacuum_vacuum_scale_factor=0.01);

create table replay (
  account_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  state text not null default 'running'::text,
  from_id uuid not null,
  to_id uuid not null,
  states text[] not null,
  types event_type[] not null,
  total bigint not null,
  done bigint not null default 0,
  last_sequence bigint not null default 0,
  last_event_id uuid,
  paced_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  traced boolean not null default true,
  delivered bigint,
  failed bigint,
  constraint replay_pkey PRIMARY KEY (account_id, id),
  constraint replay_state_check CHECK (state = ANY (ARRAY['running'::text, 'done'::text, 'cancelled'::text]))
);
CREATE INDEX replay_of_endpoint ON public.replay USING btree (account_id, endpoint_id, id);
CREATE INDEX replay_running ON public.replay USING btree (paced_at) WHERE (state = 'running'::text);
CREATE INDEX replay_uncounted ON public.replay USING btree (account_id, id) WHERE (traced AND (delivered IS NULL));

create table replay_delivery (
  account_id uuid not null,
  replay_id uuid not null,
  delivery_id uuid not null,
  constraint replay_delivery_pkey PRIMARY KEY (account_id, replay_id, delivery_id)
);

create table schema_migration (
  version integer not null,
  name text not null,
  breaking boolean not null default false,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migration_pkey PRIMARY KEY (version)
);

create table sending_domain (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  selector text not null,
  private_key_sealed bytea not null,
  public_key text not null,
  checks jsonb,
  checked_at timestamp with time zone,
  verified_at timestamp with time zone,
  lost_checks jsonb not null default '{}'::jsonb,
  check_due_at timestamp with time zone,
  return_path_domain text,
  return_path_verified_at timestamp with time zone,
  link_host text,
  link_host_verified_at timestamp with time zone,
  constraint sending_domain_pkey PRIMARY KEY (account_id, id)
);
CREATE INDEX sending_domain_due ON public.sending_domain USING btree (check_due_at) WHERE (check_due_at IS NOT NULL);
CREATE UNIQUE INDEX sending_domain_name ON public.sending_domain USING btree (account_id, name);
CREATE UNIQUE INDEX sending_domain_verified ON public.sending_domain USING btree (name) WHERE (verified_at IS NOT NULL);

create table sent_count (
  account_id uuid not null,
  hour_at timestamp with time zone not null,
  in_hour integer not null,
  day_at timestamp with time zone not null,
  in_day integer not null,
  constraint sent_count_pkey PRIMARY KEY (account_id)
);

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
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint session_pkey PRIMARY KEY (account_id, id),
  constraint session_api_key_check CHECK ((kind = 'account'::text) = (api_key_id IS NOT NULL)),
  constraint session_kind_check CHECK (kind = ANY (ARRAY['account'::text, 'portal'::text, 'operator'::text])),
  constraint session_operator_check CHECK ((kind = 'operator'::text) = (operator_name IS NOT NULL AND operator_method IS NOT NULL AND operator_role IS NOT NULL))
);
CREATE UNIQUE INDEX session_token ON public.session USING btree (token_hash);

create table shard (
  number smallint not null,
  state text not null default 'open'::text,
  constraint shard_pkey PRIMARY KEY (number),
  constraint shard_number_check CHECK (number >= 0 AND number <= 999),
  constraint shard_state_check CHECK (state = ANY (ARRAY['open'::text, 'closed'::text]))
);

create table signing_key (
  account_id uuid not null,
  endpoint_id uuid not null,
  id uuid not null,
  state text not null,
  secret_prefix text not null,
  secret_sealed bytea,
  created_at timestamp with time zone not null default now(),
  promoted_at timestamp with time zone,
  retired_at timestamp with time zone,
  verified_count bigint not null default 0,
  last_verified_at timestamp with time zone,
  constraint signing_key_pkey PRIMARY KEY (account_id, endpoint_id, id),
  constraint signing_key_secret_check CHECK ((state = 'retired'::text) = (secret_sealed IS NULL)),
  constraint signing_key_state_check CHECK (state = ANY (ARRAY['staged'::text, 'primary'::text, 'retired'::text]))
);
CREATE UNIQUE INDEX signing_key_one_primary ON public.signing_key USING btree (account_id, endpoint_id) WHERE (state = 'primary'::text);

create table stat_process (
  number integer not null,
  heard_at timestamp with time zone not null default now(),
  counted_until timestamp with time zone not null default now(),
  writes integer not null default 0,
  constraint stat_process_pkey PRIMARY KEY (number)
);

create table suppression (
  account_id uuid not null,
  id uuid not null,
  address_mac bytea not null,
  address text,
  folded_address text,
  reason text not null,
  scope text not null,
  list text,
  email_id text,
  event_id uuid,
  lapses_at timestamp with time zone,
  lifted_at timestamp with time zone,
  by_recipient boolean not null default false,
  constraint suppression_pkey PRIMARY KEY (account_id, id),
  constraint suppression_list_check CHECK ((scope = 'list'::text) = (list IS NOT NULL)),
  constraint suppression_reason_check CHECK (reason = ANY (ARRAY['bounce'::text, 'domain_bounce'::text, 'complaint'::text, 'unsubscribe'::text, 'manual'::text])),
  constraint suppression_scope_check CHECK (scope = ANY (ARRAY['all_mail'::text, 'all_lists'::text, 'list'::text]))
) with (autovacuum_analyze_scale_factor=0.05, autovacuum_vacuum_scale_factor=0.01);
CREATE INDEX suppression_address ON public.suppression USING btree (account_id, address_mac, id);
CREATE UNIQUE INDEX suppression_in_force ON public.suppression USING btree (account_id, address_mac, reason, scope, COALESCE(list, ''::text)) WHERE (lifted_at IS NULL);
CREATE INDEX suppression_prefix ON public.suppression USING btree (account_id, folded_address text_pattern_ops) WHERE (folded_address IS NOT NULL);
CREATE INDEX suppression_reason ON public.suppression USING btree (account_id, reason, COALESCE(lapses_at, 'infinity'::timestamp with time zone)) WHERE (lifted_at IS NULL);

CREATE OR REPLACE FUNCTION public.is_clock_trusted()
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$ select jumped_at is null from maintenance_clock $function$;

CREATE OR REPLACE FUNCTION public.keep_audit_entry()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.refuse_moved_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from account_move m where m.account_id = new.account_id)
    and not exists (select from account a where a.id = new.account_id) then
    raise exception 'the account % moves to another shard', new.account_id using errcode = 'PH001';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_unknown_account(account_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'unknown account %', account_id using errcode = 'PH001';
end
$function$;

CREATE OR REPLACE FUNCTION public.wal_timeline()
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return left(pg_walfile_name(pg_current_wal_lsn()), 8);
exception when others then
  return '';
end
$function$;
