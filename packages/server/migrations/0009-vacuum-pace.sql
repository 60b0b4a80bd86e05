-- Autovacuum goes at the server's pace. Without pauses it took two thirds of a core for a second each minute at 8,000
-- events a second, in which whoever reported waited.
alter table endpoint reset (autovacuum_vacuum_cost_delay);
alter table waiting reset (autovacuum_vacuum_cost_delay);
alter table outcome_key reset (autovacuum_vacuum_cost_delay);
alter table idempotency_key reset (autovacuum_vacuum_cost_delay);
alter table recipient_state reset (autovacuum_vacuum_cost_delay);
alter table handover reset (autovacuum_vacuum_cost_delay);
alter table email_content reset (autovacuum_vacuum_cost_delay, toast.autovacuum_vacuum_cost_delay);
alter table suppression reset (autovacuum_vacuum_cost_delay);

do $$
declare
  partition regclass;
begin
  for partition in select inhrelid from pg_inherits join pg_class on oid = inhrelid where relkind = 'r' loop
    execute format('alter table %s reset (autovacuum_vacuum_cost_delay)', partition);
  end loop;
end
$$;
