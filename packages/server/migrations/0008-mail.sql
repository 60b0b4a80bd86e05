-- The way of an email: email → email_recipient, with handover and email_content until the MTA has taken it. What became
-- of it comes back as outcomes. Suppressions, sending domains and the keys of tokens in mails stand beside it.

create table email (
  account_id uuid not null,
  id uuid not null,
  -- as it stands in the From field, display name included
  from_address text not null,
  subject text not null,
  -- without angle brackets; the same however often an email is handed over
  message_id text not null,
  tags json,
  metadata json,
  -- sent with `unsubscribe`, and for which list; without one it is for all mails with `unsubscribe`
  unsubscribable boolean not null,
  unsubscribe_list text,
  erased_at timestamptz,
  primary key (account_id, id),
  check (unsubscribable or unsubscribe_list is null)
) partition by range (id);

create table email_recipient (
  account_id uuid not null,
  email_id uuid not null,
  -- from 1 on; of all fields together, as they follow each other
  number smallint not null,
  field text not null check (field in ('to', 'cc', 'bcc')),
  -- its domain in lower case and as A-labels, as in events
  address text not null,
  state text not null default 'queued'
    check (state in ('queued', 'handed_over', 'delivered', 'bounced', 'failed')),
  -- {code, enhanced_code, message, stage, remote_mta}: what decided the state, as far as there was a reply
  reply json,
  -- the event that tells of the state; null while it is queued or handed over
  event_id uuid,
  updated_at timestamptz not null default now(),
  -- when it bounced or failed; the partial index rests on it, so that a delivery stays a HOT update
  refused_at timestamptz,
  primary key (account_id, email_id, number)
) partition by range (email_id);
create index email_recipient_address on email_recipient (account_id, address, email_id);
create index email_recipient_refused on email_recipient (account_id, email_id) where refused_at is not null;

-- What is still to be given to the MTA. A recipient that it has taken has no row here.
create table handover (
  account_id uuid not null,
  email_id uuid not null,
  number smallint not null,
  -- not before this; while a process holds the row, the end of its lease
  due_at timestamptz not null default now(),
  taken_by uuid,
  -- raised by every claim and by erasure: the fence against a late result
  claim integer not null default 0,
  tries integer not null default 0,
  -- why the last try did not do, as in email_recipient
  reply json,
  primary key (account_id, email_id, number)
) with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_analyze_scale_factor = 0.05,
  autovacuum_vacuum_cost_delay = 0
);
-- leads from account to account, and within one to what is due
create index handover_due on handover (account_id, due_at);

-- What the message is made of, until no recipient waits for it any more.
create table email_content (
  account_id uuid not null,
  email_id uuid not null,
  -- JSON
  content bytea not null,
  primary key (account_id, email_id)
) with (
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_analyze_scale_factor = 0.05,
  autovacuum_vacuum_cost_delay = 0,
  toast.autovacuum_vacuum_scale_factor = 0.01,
  toast.autovacuum_vacuum_cost_delay = 0
);

-- When a source last told that an email was delivered: without one, a hand-over is all that will ever be known.
create table mail_source (
  kind text primary key,
  last_at timestamptz not null
);

-- Keys of what stands in mails and outlives the master key's rotation: random, sealed, never derived from it.
create table mail_key (
  account_id uuid not null,
  id uuid not null,
  -- `token`: return paths and unsubscribe links; `address`: the HMAC under which a suppressed address is looked up
  purpose text not null check (purpose in ('token', 'address')),
  -- 32 random bits by which a token names its key, and the key its account
  number bigint not null check (number between 0 and 4294967295),
  secret_sealed bytea not null,
  -- one that is retired signs no new token and still verifies old ones
  retired_at timestamptz,
  primary key (account_id, id)
);
create unique index mail_key_number on mail_key (number);
create unique index mail_key_current on mail_key (account_id, purpose) where retired_at is null;

-- Addresses to which an account sends nothing, or nothing of some kind.
create table suppression (
  account_id uuid not null,
  id uuid not null,
  -- HMAC-SHA256 of the address under the account's mail_key `address`
  address_mac bytea not null,
  -- null once it was erased: the HMAC stays, and with it the suppression
  address text,
  reason text not null check (reason in ('bounce', 'domain_bounce', 'complaint', 'unsubscribe', 'manual')),
  -- every mail, all mails with `unsubscribe`, or mails with `unsubscribe` for one list
  scope text not null check (scope in ('all_mail', 'all_lists', 'list')),
  list text,
  -- what it rests on; null when it was entered by hand
  email_id text,
  event_id uuid,
  lapses_at timestamptz,
  lifted_at timestamptz,
  primary key (account_id, id),
  check ((scope = 'list') = (list is not null))
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
-- each reason for itself: who forgives a bounce has not forgotten a complaint
create unique index suppression_in_force on suppression (account_id, address_mac, reason, scope, coalesce(list, ''))
  where lifted_at is null;
-- all there ever were of an address
create index suppression_address on suppression (account_id, address_mac, id);

-- Domains that an account sends from, each with the DKIM key that signs for it.
create table sending_domain (
  account_id uuid not null,
  id uuid not null,
  -- in lower case and as A-labels
  name text not null,
  selector text not null,
  -- PKCS #8, sealed
  private_key_sealed bytea not null,
  -- SubjectPublicKeyInfo in base64, as DNS has it
  public_key text not null,
  -- what the last look at DNS found, by record
  checks jsonb,
  checked_at timestamptz,
  verified_at timestamptz,
  primary key (account_id, id)
);
create unique index sending_domain_name on sending_domain (account_id, name);
-- whoever could publish the key has the domain, one account at a time
create unique index sending_domain_verified on sending_domain (name) where verified_at is not null;

-- whom to tell by mail how the account's endpoints fare
alter table account add column notice_address text;
