import type { BenchResult } from './bench.ts'
import { machine, occasion } from './machine.ts'

const head = ['bench', 'what', 'measured', 'beside it', 'goal', '']

/** All results as one Markdown table. */
export function table(results: ReadonlyArray<{ name: string; result: BenchResult }>): string {
  const rows = results.flatMap(({ name, result }) => cells(result).map(row => [name, ...row]))
  return markdown([head, head.map(() => '---'), ...rows])
}

/** The text of `result.md`: the rows of one bench, the machine and the day. */
export function resultText(name: string, result: BenchResult): string {
  const [, ...words] = head
  const ledger =
    result.unbalanced.length === 0
      ? 'Every ledger balances.'
      : result.unbalanced.map(fault => `VOID, the ledger does not balance: ${fault}`).join('\n')
  return [
    `# ${name}: last result`,
    `Written by \`npm run bench -- ${name}\`. ${occasion()}; ${machine()}.`,
    markdown([words, words.map(() => '---'), ...cells(result)]),
    ledger,
    ...(result.details === undefined ? [] : [result.details]),
    '',
  ].join('\n\n')
}

function cells(result: BenchResult): string[][] {
  return result.rows.map(({ what, measured, beside, goal }) => [
    what,
    measured,
    beside ?? '',
    goal?.text ?? '',
    goal === null ? '' : goal.met ? 'met' : 'missed',
  ])
}

function markdown(rows: readonly string[][]): string {
  return rows.map(row => `| ${row.join(' | ')} |`).join('\n')
}
