/** `quick` proves in seconds that the bench runs and its ledger balances; `full` is what is published. */
export type Scale = 'quick' | 'full'

/** One question with the run that answers it. */
export interface Bench {
  /** Its folder's name. */
  name: string
  /** It takes too long to run in full with all others: then it must be asked for. */
  onlyWhenNamed?: true
  run(scale: Scale): Promise<BenchResult>
}

export interface BenchResult {
  rows: BenchRow[]
  /** What does not agree in the ledgers: with any, the run is void. */
  unbalanced: string[]
  /** What else the folder's `result.md` shows: a plan, a plot, a table of its own. Markdown. */
  details?: string
}

export interface BenchRow {
  what: string
  /** With its unit. */
  measured: string
  /** What the figure is compared with, measured in the same run. */
  beside?: string
  /** The goal and whether it is met; null for figures that are only reported. */
  goal: { text: string; met: boolean } | null
}

/** A goal of the form "at least": printed as `≥ bound`. */
export function atLeast(bound: number, value: number, unit = ''): { text: string; met: boolean } {
  return { text: `≥ ${bound}${unit}`, met: value >= bound }
}

/** A goal of the form "at most": printed as `≤ bound`. */
export function atMost(bound: number, value: number, unit = ''): { text: string; met: boolean } {
  return { text: `≤ ${bound}${unit}`, met: value <= bound }
}
