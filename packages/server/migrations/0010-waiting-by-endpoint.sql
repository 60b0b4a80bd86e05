-- What waits for an endpoint is found by the endpoint alone, whose id says whose it is. While the index began with the
-- account, as the primary key does, a plan made while nothing waited could look a delivery up by its account in this one,
-- and read all that waits for the account until the next analysis.
create unique index endpoint_id on endpoint (id);
drop index waiting_due;
create index waiting_due on waiting (endpoint_id, due_at);
