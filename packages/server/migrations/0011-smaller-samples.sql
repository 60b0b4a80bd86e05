-- How much of a table is read to know what it is like goes by the column that wants most: 6,000 rows for 20 instead of
-- 30,000. Under load each of the day's tables is analysed every minute; of 600,000 events that took 300 milliseconds of a
-- core, half of it for bodies and search keys.
do $$
declare
  col record;
begin
  for col in
    select attrelid::regclass as partition, attname as name
    from pg_inherits join pg_class c on c.oid = inhrelid and relkind = 'r'
    join pg_attribute on attrelid = c.oid and attnum > 0 and not attisdropped
  loop
    execute format('alter table %s alter column %I set statistics 20', col.partition, col.name);
  end loop;
end
$$;
alter table outcome_key
  alter column account_id set statistics 20,
  alter column digest set statistics 20,
  alter column event_id set statistics 20;
