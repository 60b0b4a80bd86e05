import { type FaultId, faults, groups } from '../../packages/server/test/faults/catalogue.ts'
import type { FaultResult } from './fault-result.ts'
import { readResults } from './results-folder.ts'

/** The promises, the faults that were injected, and what was seen, from the kept results. */
export function printReliability(): string {
  const results = new Map(readResults().map(result => [result.id, result]))
  const held = [...results.values()].filter(result => result.held).length
  const ids = Object.keys(faults) as FaultId[]
  return `<!-- Printed by tools/generate.ts from packages/server/test/faults/results. Do not edit. -->

# Reliability

- **202**: the outcome is stored. Its event arrives at least once at every subscribed endpoint that still exists, whatever
  fails.
- **4xx**: nothing was stored.
- **503, or no answer**: it was stored whole or not at all. You can safely repeat it with the same \`outcome_id\` or
  \`Idempotency-Key\`.
- Nobody reads or signs for another account.

Each row is a fault that tests inject into real processes, a real PostgreSQL and real sockets, and what the tests expect to
hold nevertheless. \`npm run test:long\` runs them and writes this table. \`npm test\` runs their short form.
[packages/server/test/faults](../../packages/server/test/faults/README.md) says how they work,
[threat-model.md](../threat-model.md) against whom they protect, and [SECURITY.md](../../SECURITY.md) how to report a
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
