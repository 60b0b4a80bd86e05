-- Deliveries that were given up because the receiver answered 410, since the answer that disabled the endpoint.
alter table endpoint add column gone_deliveries integer not null default 0;
