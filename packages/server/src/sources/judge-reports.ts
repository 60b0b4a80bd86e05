import type { IgnoredReportReason, SourceAccepted } from '@posthorn/contract'
import { accountMoving } from '../errors.ts'
import type { Ctx } from '../context.ts'
import type { DecidedOutcome } from '../domain/decided-outcome.ts'
import { isSameRecipient } from '../domain/same-recipient.ts'
import { typeId } from '../domain/type-id.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'
import { inSlices } from '../outcomes/in-slices.ts'
import { spellAsSent } from '../outcomes/spell-as-sent.ts'
import { forwardedTo, judgeForeign, tokensOf } from './judge-foreign.ts'
import { judgeRawOutcome } from './judge-raw-outcome.ts'
import { findByUnsubscribeToken, findSentRecipients, type SentRecipient } from './sent-recipients.ts'
import type { SourceReport, Translated } from './source-report.ts'

/** The outcomes in the reports of a mail server, not stored yet. */
export interface JudgedReports {
  readonly outcomes: readonly DecidedOutcome[]
  /** The index of each outcome in the input. */
  readonly places: readonly number[]
  readonly ignored: SourceAccepted['ignored']
}

/**
 * Finds the email and recipient of each report by the token in its return path, and classifies the report.
 *
 * @param onlyAccountId the account of the caller, if the caller may report only for that account
 * @throws AppError `account_moving`
 */
export async function judgeReports(
  ctx: Pick<Ctx, 'db' | 'seal' | 'clock'>,
  translated: readonly Translated[],
  onlyAccountId: string | null,
): Promise<JudgedReports> {
  const tokens = translated.flatMap(({ report }) => (typeof report === 'string' ? [] : tokensOf(report)))
  const { sent, away } = await findSentRecipients(ctx, tokens, onlyAccountId)
  for (const { report } of translated) {
    if (typeof report === 'string' || sentRecipient(report, sent) !== undefined) continue
    if (tokensOf(report).some(token => away.has(token))) throw accountMoving()
  }
  const complainants = await findComplainants(ctx, translated, sent, onlyAccountId)
  const arrivedAt = new Date(ctx.clock.nowMs()).toISOString()
  const outcomes: DecidedOutcome[] = []
  const places: number[] = []
  const ignored: SourceAccepted['ignored'] = []
  await inSlices(translated, ({ index, report }) => {
    const outcome =
      typeof report === 'string'
        ? report
        : judge(
            report,
            sentRecipient(report, sent) ?? complainants.get(report) ?? null,
            onlyAccountId,
            arrivedAt,
          )
    if (typeof outcome === 'string') ignored.push({ index, reason: outcome })
    else {
      outcomes.push(outcome)
      places.push(index)
    }
  })
  const isAnyForeign = translated.some(({ report }) => typeof report !== 'string' && report.foreign !== null)
  return { outcomes: isAnyForeign ? await spellAsSent(ctx.db, outcomes) : outcomes, places, ignored }
}

/** The complete answer: the stored and ignored outcomes with the indexes of the reports, and the ignored reports. */
export function answerOf(
  { places, ignored }: JudgedReports,
  stored: Pick<SourceAccepted, 'events' | 'ignored'>,
): SourceAccepted {
  const late = stored.ignored.map(one => ({ ...one, index: places[one.index] ?? one.index }))
  return {
    accepted: stored.events.length,
    events: stored.events,
    ignored: [...late, ...ignored].sort((a, b) => a.index - b.index),
  }
}

/** The recipient of a report, by its first genuine return path. */
function sentRecipient(
  report: SourceReport,
  sent: ReadonlyMap<string, SentRecipient>,
): SentRecipient | undefined {
  return tokensOf(report)
    .map(token => sent.get(token))
    .find(one => one !== undefined)
}

/** The recipients of complaints without a genuine return path, by the unsubscribe tokens in the original email. */
async function findComplainants(
  ctx: Pick<Ctx, 'db' | 'seal'>,
  translated: readonly Translated[],
  sent: ReadonlyMap<string, SentRecipient>,
  onlyAccountId: string | null,
): Promise<Map<SourceReport, SentRecipient>> {
  const found = new Map<SourceReport, SentRecipient>()
  for (const { report } of translated) {
    if (typeof report === 'string' || report.unsubscribeTokens === undefined) continue
    if (sentRecipient(report, sent) !== undefined) continue
    const recipient = await findByUnsubscribeToken(ctx, report.unsubscribeTokens, onlyAccountId)
    if (recipient !== null) found.set(report, recipient)
  }
  return found
}

function judge(
  report: SourceReport,
  found: SentRecipient | null,
  onlyAccountId: string | null,
  arrivedAt: string,
): DecidedOutcome | IgnoredReportReason {
  if (found === null || (onlyAccountId !== null && found.accountId !== onlyAccountId)) {
    const hasToken = tokensOf(report).length > 0 || (report.unsubscribeTokens ?? []).length > 0
    return hasToken ? 'unverified' : judgeForeign(report, arrivedAt)
  }
  const { recipients, outcome, outcomeId } = report
  const isNamed = recipients.length === 0 || recipients.some(one => isSameRecipient(one, found.address))
  if (!isNamed && report.isForwarded !== true) return 'other_recipient'
  const emailId = typeId('em', found.emailId)
  return judgeRawOutcome(
    {
      ...outcome,
      // the same id for all reports of a complaint, because several providers may forward it
      outcome_id: outcome.disposition === 'complaint' ? `complaint:${emailId}:${found.number}` : outcomeId,
      email_id: emailId,
      recipient: found.address,
      message_id: found.messageId ?? undefined,
      from: found.from ?? undefined,
      subject: found.subject || undefined,
      tags: found.tags ?? undefined,
      metadata: found.metadata ?? undefined,
    },
    found.accountId,
    arrivedAt,
    {
      reportedStatus: report.reportedStatus,
      returnPaths: report.returnPaths,
      ...forwardedTo(recipients, found.address),
      feedbackType: report.feedbackType,
      reporter: report.reporter,
      isInWords: report.isInWords,
      statement: report.statement,
      sentAt: new Date(uuidV7Ms(found.emailId)).toISOString(),
    },
  )
}
