-- A delivery's id and an endpoint's say whose they are. While these indexes began with the account, what was written of a
-- hundred accounts went to a hundred places of each, and every entry was compared with a dozen on its way there; what
-- is written of deliveries of one moment now goes to one place, in entries that are a third smaller.
alter table attempt drop constraint attempt_pkey;
alter table attempt add constraint attempt_pkey primary key (delivery_id, id);

drop index delivery_sequence;
create index delivery_sequence on delivery (endpoint_id, sequence);
drop index delivery_exhausted;
create index delivery_exhausted on delivery (endpoint_id, sequence) where reason is not null;
drop index delivery_not_delivered;
create index delivery_not_delivered on delivery (endpoint_id, sequence) where type <> 'email.delivered';
