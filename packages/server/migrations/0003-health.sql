-- Health of endpoints, notices to the account, the audit log, and what statistics are summed from.

-- Notices are events with one delivery, to the account's notice webhook: same queue, signing, retries and guard.
alter type event_type add value 'webhook.warning';
alter type event_type add value 'webhook.disabled';
alter type event_type add value 'webhook.recovered';

alter table endpoint
  -- `notices`: the account's notice webhook. It subscribes to no event type, takes no slot and is in no list
  add column kind text not null default 'events' check (kind in ('events', 'notices')),
  -- the first delivery that used up its retries since the last success
  add column exhausted_since timestamptz,
  -- what the account was told, so that it is told once
  add column warned_exhausted_at timestamptz,
  add column warned_half_time_at timestamptz,
  add column disabled_told_at timestamptz;

create unique index endpoint_one_for_notices on endpoint (account_id)
  where kind = 'notices' and deleted_at is null;
-- the few that the health job has to look at
create index endpoint_unwell on endpoint (account_id, id)
  where kind = 'events' and deleted_at is null
    and (failing_since is not null or warned_exhausted_at is not null or warned_half_time_at is not null);

create table audit_entry (
  account_id uuid not null,
  id uuid not null,
  at timestamptz not null default now(),
  actor text not null check (actor in ('operator', 'api_key', 'system')),
  api_key_id uuid,
  action text not null,
  -- the id as the API shows it
  target text not null,
  before jsonb,
  after jsonb,
  request_id text,
  primary key (account_id, id),
  check ((actor = 'api_key') = (api_key_id is not null))
);
create index audit_entry_action on audit_entry (account_id, action, id);
create index audit_entry_target on audit_entry (account_id, target, id);

-- Append-only: nothing changes an entry, and only the end of its account removes it.
create function keep_audit_entry() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if exists (select from account a where a.id = old.account_id and a.deleted_at is not null) then
      return old;
    end if;
  end if;
  raise exception 'the audit log is append-only';
end
$$;
create trigger audit_entry_kept before update or delete on audit_entry
  for each row execute function keep_audit_entry();
