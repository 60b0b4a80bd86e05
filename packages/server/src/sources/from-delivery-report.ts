import { hash } from 'node:crypto'
import { cutText } from '../domain/cut-text.ts'
import { rawOutcomeOf } from '../mail/raw-outcome-of.ts'
import type { RecipientStatus } from '../mail/delivery-status.ts'
import type { DeliveryReport } from '../mail/read-report.ts'
import type { ReportedOutcome, Translated } from './source-report.ts'

/**
 * Translates a delivery status notification into one report per recipient.
 *
 * @param returnPaths the return path that received it, or those in its text
 * @param mail the whole message, whose hash identifies the reports
 */
export function fromDeliveryReport(
  report: DeliveryReport,
  mail: Uint8Array,
  returnPaths: readonly string[],
  nowMs: number,
): Translated[] {
  const name = hash('sha256', mail, 'hex').slice(0, 32)
  return report.recipients.map((recipient, index) => {
    const raw = rawOutcomeOf(report, recipient)
    if (raw === null) return { index, report: 'not_an_outcome' }
    const outcome: ReportedOutcome = {
      disposition: raw.disposition,
      timing: 'asynchronous',
      reply: { text: raw.reply?.text?.slice(0, replyLengthMax) ?? '' },
      remote_mta: serverName(recipient.remoteMta ?? ''),
      reporting_mta: serverName(report.reportingMta ?? '')?.name,
      occurred_at: momentOf(recipient, nowMs),
    }
    const { finalRecipient, originalRecipient } = recipient
    return {
      index,
      report: {
        returnPaths,
        foreign: null,
        recipients: [finalRecipient, originalRecipient].filter(one => one !== null),
        // each of our emails has one recipient, so a report about a single recipient is about that one
        isForwarded: report.recipients.length === 1,
        outcome,
        reportedStatus: raw.reply?.reportedStatus,
        outcomeId: `message:${name}:${index}`,
      },
    }
  })
}

const replyLengthMax = 8_192
const dayMs = 86_400_000

function serverName(text: string): { name: string } | undefined {
  const name = cutText(text.replace(/[\p{Cc}\s]+/gu, ' ').trim(), 255)
  return name === '' ? undefined : { name }
}

/** The time of the last attempt, unless the clock of the reporting server is wrong. */
function momentOf({ lastAttemptDate }: RecipientStatus, nowMs: number): string | undefined {
  const atMs = Date.parse(lastAttemptDate ?? '')
  const isSane = atMs > nowMs - 30 * dayMs && atMs < nowMs + dayMs
  return isSane ? new Date(atMs).toISOString() : undefined
}
