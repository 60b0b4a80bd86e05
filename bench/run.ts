import { cpus, totalmem } from 'node:os'
import { throughput } from './throughput/throughput.ts'

/** Runs the benchmarks and prints one table. An unbalanced ledger makes the run void, and ends it with 1. */
const quick = process.argv.includes('--quick')
const options = quick ? { outcomes: 5_000, rounds: 1 } : { outcomes: 40_000, rounds: 3 }

process.stdout.write(
  `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}; ` +
    `${options.outcomes} deliveries, median of ${options.rounds}\n\n`,
)
const rows = await throughput(options)
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`
process.stdout.write(line(['database', 'endpoints', 'fan-out', 'bare client /s', 'Posthorn /s', 'ratio']))
process.stdout.write(line(['---', '---', '---', '---', '---', '---']))
for (const row of rows) {
  const numbers = [
    row.endpoints,
    row.fanOut,
    Math.round(row.bare),
    Math.round(row.product),
    row.ratio.toFixed(2),
  ]
  process.stdout.write(line([row.database, ...numbers.map(String)]))
  for (const fault of row.unbalanced) process.stdout.write(`VOID, the ledger does not balance: ${fault}\n`)
}
process.exitCode = rows.some(row => row.unbalanced.length > 0) ? 1 : 0
