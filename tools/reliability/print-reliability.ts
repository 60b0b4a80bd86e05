import { type FaultId, faults, groups } from '../../packages/server/test/faults/catalogue.ts'
import type { FaultResult } from './fault-result.ts'
import { readResults } from './results-folder.ts'

/** The promises, the injected faults, and the results, from the stored results. */
export function printReliability(): string {
  const results = new Map(readResults().map(result => [result.id, result]))
  const held = [...results.values()].filter(result => result.held).length
  const ids = Object.keys(faults) as FaultId[]
  return `<!-- Printed by tools/generate.ts from packages/server/test/faults/results. Do not edit. -->

# Reliability

- **202**: the outcome is stored. Posthorn delivers its event at least once to every subscribed endpoint that still exists,
  whatever fails.
- **4xx**: nothing was stored.
- **503, or no response**: the request was stored completely or not at all. You can safely repeat it with the same
  \`outcome_id\` or \`Idempotency-Key\`.
- No account can read the data of another account or sign for it.

Each row is a fault that tests inject into real processes, a real PostgreSQL server and real sockets, with the promises that
must still hold. \`npm run test:long\` runs these tests and writes this table. \`npm test\` runs their short form.
[packages/server/test/faults](../../packages/server/test/faults/README.md) explains how they work,
[threat-model.md](../threat-model.md) describes the attackers, and [SECURITY.md](../../SECURITY.md) explains how to report a
vulnerability.

${held} of ${ids.length} hold; ${results.size - held} do not; ${ids.length - results.size} have not run.
${groups.map(({ title }, n) => part(title, idsOf(ids, n), results)).join('')}`
}

function idsOf(ids: readonly FaultId[], group: number): FaultId[] {
  const at = (n: number): number => {
    const from = groups[n]?.from
    return from === undefined ? ids.length : ids.indexOf(from)
  }
  return ids.slice(at(group), at(group + 1))
}

function part(title: string, ids: readonly FaultId[], results: ReadonlyMap<FaultId, FaultResult>): string {
  const rows = ids.map(id => row(id, results.get(id)))
  return `
## ${title}

| | Fault | What holds | | Seen | Run |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
`
}

function row(id: FaultId, result: FaultResult | undefined): string {
  const cells =
    result === undefined
      ? ['', 'not run', '', '']
      : [
          result.promises.join('; '),
          result.held ? 'holds' : '**broken**',
          result.seen.join('; '),
          result.occasion,
        ]
  return `| ${[id, faults[id], ...cells].map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
