import { hash } from 'node:crypto'
import { readBounceText } from '../domain/bounce-text/read-bounce-text.ts'
import { returnPathToken } from '../domain/sources/return-path.ts'
import { readStatusInText } from '../mail/status-in-text.ts'
import type { Notice } from '../mail/read-incoming.ts'
import { fromDeliveryReport } from './from-delivery-report.ts'
import type { Translated } from './source-report.ts'

/**
 * Translates a bounce without a machine-readable part. Status fields anywhere in its text count; otherwise its words do.
 *
 * @param recipient the address that the return path belongs to
 */
export function fromBounceText(
  notice: Notice,
  mail: Uint8Array,
  { returnPath, recipient }: { returnPath: string; recipient: string },
  nowMs: number,
): Translated[] {
  if (notice.isAnswer) return [{ index: 0, report: 'not_a_report' }]
  const report = readStatusInText(notice.text)
  if (report !== null) return fromDeliveryReport(report, mail, [returnPath], nowMs)
  const found = readBounceText(notice, recipient)
  switch (found.kind) {
    case 'other':
      return [{ index: 0, report: 'not_a_report' }]
    case 'delayed':
      return [{ index: 0, report: 'temporary' }]
    case 'refused': {
      const { text, stage, statement, forwarded } = found
      return [
        {
          index: 0,
          report: {
            returnPaths: [returnPath],
            foreign: null,
            recipients: forwarded === null ? [] : [forwarded.to ?? ''],
            isForwarded: forwarded !== null,
            outcome: {
              disposition: 'permanent',
              timing: 'asynchronous',
              reply: { text: text.slice(0, replyLengthMax) },
              ...(stage !== null && { stage }),
            },
            isInWords: true,
            ...(statement !== null && { statement }),
            // the same text may come back to several return paths
            outcomeId: `message:${hash('sha256', mail, 'hex').slice(0, 32)}:${returnPathToken(returnPath)}`,
          },
        },
      ]
    }
  }
}

const replyLengthMax = 8_192
