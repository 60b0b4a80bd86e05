-- What lists across endpoints, statistics and the health of endpoints are read from.

-- what was given up, newest first, whichever endpoint it was for: rare, and written when it is given up and not before
create index delivery_given_up on delivery (account_id, id) where reason is not null;

-- Whether the delivery was given up after this attempt; null when not, which takes no room. Statistics that a killed
-- process had not written are recounted from it.
alter table attempt add column gave_up boolean;

-- When the latest of the attempts that a row counts ended; null in rows that an earlier release wrote.
-- `exhausted` as a result counts deliveries that were given up, and has no latencies.
alter table attempt_stat add column last_at timestamptz;

alter table endpoint
  -- why the latest attempt failed, written with the count of failures; null once one succeeds
  add column last_error_code text,
  -- until when the certificate is good that the receiver showed last, written when it is another one
  add column certificate_expires_at timestamptz;
