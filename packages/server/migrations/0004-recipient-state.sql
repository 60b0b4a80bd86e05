-- What became of one recipient's email, for reports that Posthorn judges itself: at most one delivered, and at most one
-- bounced or failed, whoever reports it and however often.

create table recipient_state (
  account_id uuid not null,
  -- first 16 bytes of the SHA-256 of the email's id, a zero byte and the recipient
  digest bytea not null,
  state text not null check (state in ('delivered', 'bounced', 'failed')),
  -- the event that says so
  event_id uuid not null,
  primary key (account_id, digest)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
