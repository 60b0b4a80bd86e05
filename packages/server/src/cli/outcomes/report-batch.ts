import { ApiProblem } from '@posthorn/client'
import type { OutcomesAccepted } from '@posthorn/contract'
import type { ReportTally } from './report-tally.ts'

/** An outcome that is ready to be sent. */
export interface Outcome {
  readonly line: number
  readonly json: string
}

/** Sends a JSON array of outcomes; null if stopped. */
export type SendReport = (body: string) => Promise<OutcomesAccepted | null>

/**
 * Reports outcomes. The service refuses a whole report for one wrong outcome. So this removes the outcomes that the
 * error names, or splits the report in half if it names none. False if stopped before the end.
 */
export async function reportBatch(
  outcomes: readonly Outcome[],
  send: SendReport,
  tally: ReportTally,
): Promise<boolean> {
  if (outcomes.length === 0) return true
  try {
    const answer = await send(`[${outcomes.map(({ json }) => json).join(',')}]`)
    if (answer === null) return false
    tally.count(answer)
    return true
  } catch (error) {
    if (!(error instanceof ApiProblem) || !isAboutContent(error)) throw error
    const wrong = reasonsByIndex(error)
    const [only] = outcomes
    if (wrong.size === 0 && outcomes.length === 1 && only !== undefined) {
      tally.refuse(only.line, error.message)
      return true
    }
    for (const [index, reason] of wrong) {
      const outcome = outcomes[index]
      if (outcome !== undefined) tally.refuse(outcome.line, reason)
    }
    if (wrong.size > 0) {
      return await reportBatch(
        outcomes.filter((_, index) => !wrong.has(index)),
        send,
        tally,
      )
    }
    const half = Math.ceil(outcomes.length / 2)
    return (
      (await reportBatch(outcomes.slice(0, half), send, tally)) &&
      (await reportBatch(outcomes.slice(half), send, tally))
    )
  }
}

/** Whether the error is about this report only, so that another one may be accepted. */
function isAboutContent({ status, code }: ApiProblem): boolean {
  return status === 400 || status === 413 || status === 422 || code === 'account_mismatch'
}

/** The reasons by outcome, such as `/data/to/0 must be an email address`. */
function reasonsByIndex({ errors }: ApiProblem): Map<number, string> {
  const reasons = new Map<number, string>()
  for (const { path, message } of errors) {
    const [, index, rest = ''] = /^\/(\d+)(\/.*)?$/.exec(path) ?? []
    if (index === undefined) continue
    const reason = rest === '' ? message : `${rest} ${message}`
    const before = reasons.get(Number(index))
    reasons.set(Number(index), before === undefined ? reason : `${before}; ${reason}`)
  }
  return reasons
}
