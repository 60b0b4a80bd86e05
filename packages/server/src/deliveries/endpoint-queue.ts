/**
 * The queue of one endpoint as a subquery: unclaimed deliveries by queue_due, and claimed ones by queue_held. With one
 * condition for both, the planner would read the whole table.
 */
export function endpointQueue(endpointId: string): string {
  return `(
    select * from queue where endpoint_id = ${endpointId} and process is null
    union all
    select * from queue where process = any (array(select number from process)) and endpoint_id = ${endpointId}
  )`
}
