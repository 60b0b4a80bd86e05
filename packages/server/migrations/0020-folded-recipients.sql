-- A recipient is found, and erased, in every spelling that reaches the same mailbox; folded-address.ts makes what they have
-- in common.
alter table email_recipient add column folded_address text;
update email_recipient set folded_address = lower(address);
alter table email_recipient alter column folded_address set not null;
drop index email_recipient_address;
create index email_recipient_address on email_recipient (account_id, folded_address, email_id);
