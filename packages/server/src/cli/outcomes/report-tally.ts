import type { OutcomesAccepted } from '@posthorn/contract'
import type { Report } from '../command.ts'
import { printError } from '../print.ts'

/** How many refusals the JSON report lists; it counts all of them. */
const refusalsMax = 1_000

interface Refusal {
  readonly line: number
  readonly reason: string
}

/** The results of the outcomes that were reported so far. */
export class ReportTally {
  #outcomes = 0
  #accepted = 0
  readonly #ignored = new Map<string, number>()
  #refused = 0
  #unprinted: Refusal[] = []
  readonly #refusals: Refusal[] = []
  readonly #isQuiet: boolean

  constructor(isQuiet: boolean) {
    this.#isQuiet = isQuiet
  }

  count({ accepted, ignored }: OutcomesAccepted): void {
    this.#outcomes += accepted + ignored.length
    this.#accepted += accepted
    for (const { reason } of ignored) this.#ignored.set(reason, (this.#ignored.get(reason) ?? 0) + 1)
  }

  refuse(line: number, reason: string): void {
    this.#outcomes++
    this.#refused++
    this.#unprinted.push({ line, reason })
  }

  /** Prints the refusals since the last call in the order of their lines. */
  printRefusals(): void {
    const refusals = this.#unprinted.toSorted((a, b) => a.line - b.line)
    this.#unprinted = []
    this.#refusals.push(...refusals.slice(0, refusalsMax - this.#refusals.length))
    if (this.#isQuiet) return
    for (const { line, reason } of refusals) printError(`line ${line}: ${reason}`)
  }

  report(isStopped: boolean): Report {
    const ignored = [...this.#ignored].map(([reason, count]) => `${count} ${words[reason] ?? reason}`)
    const parts = [`${this.#accepted} accepted`, ...ignored, `${this.#refused} refused`]
    return {
      exitCode: this.#refused > 0 || isStopped ? 1 : 0,
      json: {
        outcomes: this.#outcomes,
        accepted: this.#accepted,
        ignored: Object.fromEntries(this.#ignored),
        refused: this.#refused,
        refusals: this.#refusals,
        stopped: isStopped,
      },
      text: [
        `Reported ${this.#outcomes} outcomes: ${parts.join(', ')}.`,
        ...(this.#refused > 0
          ? ['Correct the refused lines and run the command again. The service ignores the other lines.']
          : []),
        ...(isStopped
          ? ['Stopped before the end. Run the command again: the service ignores what it already has.']
          : []),
      ].join('\n'),
    }
  }
}

const words: Readonly<Record<string, string>> = {
  temporary: 'temporary (no event yet)',
  duplicate: 'already reported',
  superseded: 'superseded',
  not_an_outcome: 'not an outcome',
}
