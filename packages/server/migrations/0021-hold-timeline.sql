-- A standby that took over may have missed what was settled before. What the old primary was told is no proof that
-- nothing of a hold is left: only a hold of the same timeline may be removed, all others end with their leases.
create function wal_timeline() returns text language plpgsql stable as $$
begin
  return left(pg_walfile_name(pg_current_wal_lsn()), 8);
exception when others then
  -- a server that does not tell has no standby of this kind
  return '';
end $$;
alter table hold add column timeline text not null default wal_timeline();
