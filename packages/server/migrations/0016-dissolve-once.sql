-- A delivery that is taken already stays as it is: one such row must not keep all other leases from ending.
create or replace function dissolve_holds(ids uuid[]) returns void language plpgsql as $$
begin
  perform from hold h where h.id = any(ids) order by h.id for update;
  insert into taken (account_id, delivery_id, endpoint_id, event_id, process_id, leased_until, sequence, claim)
  select account_id, delivery_id, endpoint_id, event_id, process_id, leased_until, sequence, 1
  from held_together where hold_id = any(ids)
  on conflict (account_id, delivery_id) do nothing;
  delete from hold h where h.id = any(ids);
end $$;
