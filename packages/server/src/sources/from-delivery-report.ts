import { hash } from 'node:crypto'
import { rawOutcomeOf } from '../mail/raw-outcome-of.ts'
import type { RecipientStatus } from '../mail/delivery-status.ts'
import type { DeliveryReport } from '../mail/read-report.ts'
import type { Said, Translated } from './source-report.ts'

/**
 * Translates a delivery status notification: one report for each recipient that it names.
 *
 * @param returnPaths to which it came, or that it names
 * @param mail the whole message, which gives the reports their names
 */
export function fromDeliveryReport(
  report: DeliveryReport,
  mail: Uint8Array,
  returnPaths: readonly string[],
  nowMs: number,
): Translated[] {
  const name = hash('sha256', mail, 'hex').slice(0, 32)
  return report.recipients.map((recipient, index) => {
    const outcome = rawOutcomeOf(report, recipient)
    if (outcome === null) return { index, report: 'not_an_outcome' }
    const said: Said = {
      disposition: outcome.disposition,
      timing: 'asynchronous',
      reply: { text: outcome.reply?.text?.slice(0, replyLengthMax) ?? '' },
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
        // each of our mails has one recipient: what is said of a single one is said of that
        isForwarded: report.recipients.length === 1,
        said,
        reportedStatus: outcome.reply?.reportedStatus,
        outcomeId: `message:${name}:${index}`,
      },
    }
  })
}

const replyLengthMax = 8_192
const dayMs = 86_400_000

function serverName(text: string): { name: string } | undefined {
  const name = text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 255)
  return name === '' ? undefined : { name }
}

/** When the last attempt was, unless the clock that says so is wrong. */
function momentOf({ lastAttemptDate }: RecipientStatus, nowMs: number): string | undefined {
  const atMs = Date.parse(lastAttemptDate ?? '')
  const isSane = atMs > nowMs - 30 * dayMs && atMs < nowMs + dayMs
  return isSane ? new Date(atMs).toISOString() : undefined
}
