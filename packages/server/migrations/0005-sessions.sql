-- Who is signed in to the dashboard, and the links by which a provider's customers get in without a credential.

create table session (
  -- all zeros for the operator's
  account_id uuid not null,
  -- of a portal's: the same as in portal_session
  id uuid not null,
  kind text not null check (kind in ('account', 'portal', 'operator')),
  -- SHA-256 of 256 random bits
  token_hash bytea not null,
  -- presented as a bearer token, or else as a cookie; never as the other
  bearer boolean not null,
  api_key_id uuid,
  -- HMAC-SHA256 of the operator token under the session's token, which is not here: a new operator token ends the session
  operator_proof bytea,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (account_id, id),
  check ((kind = 'account') = (api_key_id is not null)),
  check ((kind = 'operator') = (operator_proof is not null))
);
create unique index session_token on session (token_hash);

create table portal_session (
  account_id uuid not null,
  id uuid not null,
  name text,
  logo_url text,
  scopes text[] not null,
  allowed_origins text[] not null,
  -- SHA-256 of what stands after # in the link
  link_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  exchanged_at timestamptz,
  revoked_at timestamptz,
  primary key (account_id, id)
);
-- whoever opens a link does not name its account
create unique index portal_session_id on portal_session (id);

alter table audit_entry
  drop constraint audit_entry_actor_check,
  add column portal_session_id uuid,
  add constraint audit_entry_actor_check
    check (actor in ('operator', 'api_key', 'portal_session', 'system')),
  add constraint audit_entry_portal_check
    check ((actor = 'portal_session') = (portal_session_id is not null));
