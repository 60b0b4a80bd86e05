-- An HMAC of the erased address under the account's mail_key `address`: a link in an older email still names the person,
-- and what it says must not store the address again.
alter table erasure add column address_mac bytea;
create index erasure_address on erasure (account_id, address_mac);
