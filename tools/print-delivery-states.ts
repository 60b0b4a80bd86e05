import { type DeliveryTransition, deliveryTransitions } from '../packages/server/src/domain/delivery-state.ts'

/** The states of a delivery as a diagram and a table, generated from the transitions in the code. */
export function printDeliveryStates(): string {
  return `<!-- Printed by tools/generate.ts from packages/server/src/domain/delivery-state.ts. Do not edit. -->

# Delivery states

A delivery is one event for one endpoint. It is \`pending\` until its first attempt has ended.

\`\`\`mermaid
stateDiagram-v2
  [*] --> pending
${arrows().join('\n')}
\`\`\`

The diagram omits one case. If a delivery was acknowledged before and is sent again, it returns to \`delivered\` even if the
new attempts fail. The table includes this case. There are no other transitions.

| From | Trigger | Acknowledged before | To | Reason | Meaning |
| --- | --- | --- | --- | --- | --- |
${tableRows().join('\n')}
`
}

/** One arrow for each pair of states, with all its triggers. */
function arrows(): string[] {
  const drawn = deliveryTransitions.filter(({ wasDelivered }) => wasDelivered !== true)
  const pairs = Map.groupBy(drawn, ({ from, to }) => `${from} --> ${to}`)
  return [...pairs].map(
    ([pair, transitions]) => `  ${pair}: ${transitions.map(({ trigger }) => trigger).join(', ')}`,
  )
}

/** Joins transitions that differ only in the state they start from into one row. */
function tableRows(): string[] {
  const rows = Map.groupBy(deliveryTransitions, transition => tableRow(transition))
  return [...rows].map(
    ([row, transitions]) => `| ${transitions.map(({ from }) => `\`${from}\``).join(', ')} ${row}`,
  )
}

function tableRow({ trigger, wasDelivered, to, reason, meaning }: DeliveryTransition): string {
  const before = wasDelivered === null ? 'either' : wasDelivered ? 'yes' : 'no'
  const why = reason === null ? '' : `\`${reason}\``
  return `| \`${trigger}\` | ${before} | \`${to}\` | ${why} | ${meaning} |`
}
