/**
 * The queue of one endpoint, as a subquery: what nobody holds along queue_due, and what each process holds along
 * queue_held. Asked for both at once, the planner would read the whole table.
 */
export function endpointQueue(endpointId: string): string {
  return `(
    select * from queue where endpoint_id = ${endpointId} and process is null
    union all
    select * from queue where process = any (array(select number from process)) and endpoint_id = ${endpointId}
  )`
}
