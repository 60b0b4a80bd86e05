import { writeFileSync } from 'node:fs'
import { installTestPrograms } from '../tools/test-programs/test-programs.ts'
import { benches } from './benches.ts'
import type { BenchResult, Scale } from './support/bench.ts'
import { machine } from './support/machine.ts'
import { resultText, table } from './support/result-text.ts'

const usage = `npm run bench -- [--quick] [name …]

Without a name, it runs all benches except those marked *. --quick runs one short round of each.
${benches.map(bench => `  ${bench.name}${bench.onlyWhenNamed === true ? ' *' : ''}\n`).join('')}`

/**
 * Runs the named benches, or all that are not `onlyWhenNamed`, and prints one table. A full run also writes the result of
 * each bench into its folder. Only an unbalanced ledger makes a run void and the exit code 1. A slow result does not.
 */
const words = process.argv.slice(2)
if (words.includes('--help')) {
  process.stdout.write(usage)
  process.exit(0)
}
const unknown = words.filter(word => word !== '--quick' && !benches.some(bench => bench.name === word))
if (unknown.length > 0) {
  process.stderr.write(`Unknown bench or option: ${unknown.join(', ')}.\n\n${usage}`)
  process.exit(2)
}
const scale: Scale = words.includes('--quick') ? 'quick' : 'full'
const names = words.filter(word => word !== '--quick')

installTestPrograms()
const results: Array<{ name: string; result: BenchResult }> = []
for (const bench of benches) {
  const isWanted = names.length > 0 ? names.includes(bench.name) : bench.onlyWhenNamed !== true
  if (!isWanted) continue
  process.stderr.write(`${bench.name}…\n`)
  const result = await bench.run(scale)
  results.push({ name: bench.name, result })
  if (scale === 'full')
    writeFileSync(new URL(`${bench.name}/result.md`, import.meta.url), resultText(bench.name, result))
}

const faults = results.flatMap(({ name, result }) => result.unbalanced.map(fault => `${name}: ${fault}`))
process.stdout.write(`${machine()}${scale === 'quick' ? '; quick: its figures mean nothing' : ''}\n\n`)
process.stdout.write(`${table(results)}\n`)
for (const fault of faults) process.stdout.write(`VOID, the ledger does not balance: ${fault}\n`)
if (faults.length === 0) process.stdout.write('Every ledger balances.\n')
process.exitCode = faults.length > 0 ? 1 : 0
