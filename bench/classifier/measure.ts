import { classifyRow, isDoubted, type LabelledRow } from './labelled-set.ts'

export interface Measured {
  readonly rows: number
  readonly precision: number
  readonly recall: number
  /** How many failures with a labelled reason got that reason. */
  readonly sameReason: string
  readonly disagreements: readonly string[]
  readonly doubted: readonly string[]
}

/** Precision and recall of `email.bounced` without ambiguous rows, doubtful rows and copies. */
export async function measure(labelled: readonly LabelledRow[]): Promise<Measured> {
  const counts = { right: 0, wrong: 0, missed: 0, rows: 0, reasons: 0, sameReasons: 0 }
  const disagreements: string[] = []
  const doubted: string[] = []
  for (const row of labelled) {
    if (row.expect === 'ambiguous' || row.duplicate_of !== undefined) continue
    const found = await classifyRow(row)
    const event = found?.event ?? 'none'
    const line = `${row.file} #${row.index}: labelled ${row.expect}, decided ${event} (${found?.rule ?? 'unreadable'})`
    if (isDoubted(row)) {
      doubted.push(line)
      continue
    }
    counts.rows++
    if (event !== row.expect) disagreements.push(line)
    if (event === 'email.bounced' && row.expect === event) counts.right++
    else if (event === 'email.bounced') counts.wrong++
    else if (row.expect === 'email.bounced') counts.missed++
    else if (row.expect_reason !== undefined && event === 'email.failed') {
      counts.reasons++
      if (found?.reason === row.expect_reason) counts.sameReasons++
    }
  }
  return {
    rows: counts.rows,
    precision: counts.right / (counts.right + counts.wrong),
    recall: counts.right / (counts.right + counts.missed),
    sameReason: `${counts.sameReasons} of ${counts.reasons}`,
    disagreements,
    doubted,
  }
}
