/**
 * Lets rows that were just deleted from `taken` wait again. One that waits already stays as it is, so that it cannot fail
 * the statement for the others.
 * @param rows the name of the part of the statement that returns them whole
 * @param dueAt when they are due, an expression over them
 * @param lostClaims how often in a row they were lost, an expression over them
 */
export function waitAgain(rows: string, dueAt: string, lostClaims: string): string {
  return `
insert into waiting (account_id, delivery_id, endpoint_id, event_id, due_at, sequence, claim, lost_claims, attempt_count,
  retries_used, trigger, was_delivered)
select account_id, delivery_id, endpoint_id, event_id, ${dueAt}, sequence, claim, ${lostClaims}, attempt_count,
  retries_used, trigger, was_delivered
from ${rows}
on conflict (account_id, delivery_id) do nothing`
}
