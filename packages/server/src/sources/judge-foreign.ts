import { emailAddress, type IgnoredReportReason } from '@posthorn/contract'
import type { DecidedOutcome } from '../domain/decided-outcome.ts'
import { isSameRecipient } from '../domain/same-recipient.ts'
import { returnPathToken } from '../domain/sources/return-path.ts'
import { judgeRawOutcome, type SourceFacts } from './judge-raw-outcome.ts'
import type { SourceReport } from './source-report.ts'

/** For an email that Posthorn did not send, the ids in the report are trusted. */
export function judgeForeign(
  { foreign, recipients, outcome, reportedStatus, isShared, feedbackType, reporter, outcomeId }: SourceReport,
  arrivedAt: string,
): DecidedOutcome | IgnoredReportReason {
  if (foreign === null) return 'foreign'
  const recipient = recipients.at(-1)
  if (recipient === undefined || !isAddress(recipient)) return 'malformed'
  return judgeRawOutcome(
    {
      ...outcome,
      outcome_id: outcomeId,
      email_id: foreign.emailId,
      recipient,
      message_id: foreign.messageId,
    },
    foreign.accountId,
    arrivedAt,
    {
      reportedStatus,
      feedbackType,
      reporter,
      recipientsInTransaction: isShared === true ? 2 : 1,
      ...forwardedTo(recipients, recipient),
    },
  )
}

/** The final recipient, if an alias or forwarding changed the address. */
export function forwardedTo(
  [final]: readonly string[],
  recipient: string,
): Pick<SourceFacts, 'isForwarded' | 'finalRecipient'> {
  if (final === undefined || isSameRecipient(final, recipient)) return {}
  return { isForwarded: true, finalRecipient: isAddress(final) ? final : undefined }
}

/** An address with U+FFFD was not valid UTF-8, so the real address is unknown. */
function isAddress(text: string): boolean {
  return emailAddress.safeParse(text).success && !text.includes('\ufffd')
}

/** The tokens in the return paths of a report. They are not verified. */
export function tokensOf({ returnPaths }: SourceReport): string[] {
  return returnPaths.flatMap(address => returnPathToken(address) ?? [])
}
