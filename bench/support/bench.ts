/** `quick` checks within seconds that the bench runs and its ledger balances. `full` produces the published figures. */
export type Scale = 'quick' | 'full'

/** One benchmark. */
export interface Bench {
  /** The name of its folder. */
  name: string
  /** Runs only if it is named on the command line, because it takes too long. */
  onlyWhenNamed?: true
  run(scale: Scale): Promise<BenchResult>
}

export interface BenchResult {
  rows: BenchRow[]
  /** What does not balance in the ledgers. Any entry makes the run void. */
  unbalanced: string[]
  /** More Markdown for `result.md`, such as a plan, a plot or a table. */
  details?: string
}

export interface BenchRow {
  what: string
  /** The measured value, with its unit. */
  measured: string
  /** The value that it is compared with, measured in the same run. */
  beside?: string
  /** The goal and whether it is met. Null for figures without a goal. */
  goal: { text: string; met: boolean } | null
}

/** A minimum goal, printed as `≥ bound`. */
export function atLeast(bound: number, value: number, unit = ''): { text: string; met: boolean } {
  return { text: `≥ ${bound}${unit}`, met: value >= bound }
}

/** A maximum goal, printed as `≤ bound`. */
export function atMost(bound: number, value: number, unit = ''): { text: string; met: boolean } {
  return { text: `≤ ${bound}${unit}`, met: value <= bound }
}
