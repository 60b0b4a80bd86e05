import type { IgnoredReportReason, SourceAccepted } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import type { DecidedOutcome } from '../domain/decided-outcome.ts'
import {
  returnPathsIn,
  returnPathToken,
  unsubscribeToken,
  unsubscribeTokensIn,
} from '../domain/sources/return-path.ts'
import { accountMoving } from '../errors.ts'
import type { IncomingMail, Notice } from '../mail/read-incoming.ts'
import { type MailRecipient, readMailToken } from '../mail/read-mail-token.ts'
import { unsubscribe, type Unsubscription } from '../suppressions/unsubscribe.ts'
import { fromBounceText } from './from-bounce-text.ts'
import { fromDeliveryReport } from './from-delivery-report.ts'
import { answerOf, judgeReports } from './judge-reports.ts'
import { findSentRecipients } from './sent-recipients.ts'
import type { Translated } from './source-report.ts'

export type MessageContext = Pick<Ctx, 'db' | 'seal' | 'clock' | 'random'> & {
  readonly outcomes: {
    group(outcomes: readonly DecidedOutcome[]): Promise<Stored>
    within(
      tx: Ctx['db'],
      outcomes: readonly DecidedOutcome[],
    ): Promise<{ answer: Stored; afterCommit: () => void }>
  }
  /** Whether a spam complaint unsubscribes the recipient. */
  readonly complaints: boolean
  /** Called for each message to a genuine return path that creates no event. */
  readonly mailIgnored: (reason: IgnoredReportReason) => void
}

type Stored = Pick<SourceAccepted, 'events' | 'ignored'>

/** A mail to one of our addresses. */
export interface IncomingMessage {
  readonly mail: Uint8Array
  /** The result of `readIncoming`. */
  readonly incoming: IncomingMail
  /** The envelope recipient; null if it is unknown and must be found in the mail. */
  readonly recipient: string | null
  /** Whether the envelope sender is empty, as in automatic mail. If undefined, the `Return-Path` header decides. */
  readonly hasNullSender?: boolean
}

/**
 * Processes a bounce message, a complaint or an unsubscribe mail for the recipient of its token. Resolves after the commit.
 * Processing it again changes nothing.
 *
 * @param onlyAccountId the account of the caller, if the caller may report only for that account
 * @throws AppError `account_moving`
 */
export async function takeMessage(
  ctx: MessageContext,
  message: IncomingMessage,
  onlyAccountId: string | null,
): Promise<SourceAccepted> {
  const answer = await answerTo(ctx, message, onlyAccountId)
  const [first] = answer.ignored
  if (answer.accepted === 0 && first !== undefined) {
    const own = returnPathsOf(message).map(path => returnPathToken(path) ?? '')
    if ((await firstGenuine(ctx, own, 'return_path', onlyAccountId)) !== null) ctx.mailIgnored(first.reason)
  }
  return answer
}

/** The addresses that may be our return path to which the message came. */
function returnPathsOf({ incoming, recipient }: IncomingMessage): string[] {
  if (incoming.kind === 'delivery_report') return ownReturnPaths(recipient, incoming.text)
  return ownReturnPaths(recipient, incoming.kind === 'mail' ? incoming.destinations : '')
}

async function answerTo(
  ctx: MessageContext,
  { mail, incoming, recipient, hasNullSender }: IncomingMessage,
  onlyAccountId: string | null,
): Promise<SourceAccepted> {
  switch (incoming.kind) {
    case 'other_feedback':
      return ignored('not_a_report')
    case 'delivery_report': {
      const returnPaths = ownReturnPaths(recipient, incoming.text)
      if (returnPaths.length === 0) return ignored('unverified')
      const reports = fromDeliveryReport(incoming.report, mail, returnPaths, ctx.clock.nowMs())
      return await stored(ctx, reports, onlyAccountId)
    }
    case 'complaint': {
      if (!ctx.complaints) return ignored('not_an_outcome')
      const { feedbackType, text } = incoming
      const found = await complainant(ctx, `${recipient ?? ''}\n${text}`, onlyAccountId)
      return await unsubscribed(ctx, found, { source: 'complaint', feedbackType }, onlyAccountId)
    }
    case 'mail': {
      const isToUnsubscribe = recipient !== null && unsubscribeToken(recipient) !== null
      const returnPaths = isToUnsubscribe ? [] : ownReturnPaths(recipient, incoming.destinations)
      if (returnPaths.length > 0) {
        if (!isFromMailSystem(incoming, hasNullSender)) return ignored('not_a_report')
        return await bounceInWords(ctx, incoming.notice, mail, returnPaths, onlyAccountId)
      }
      if ((hasNullSender ?? incoming.hasNullSender) === true) return ignored('not_a_report')
      const own = recipient === null ? null : unsubscribeToken(recipient)
      const tokens = recipient === null ? unsubscribeTokensIn(incoming.destinations) : [own ?? '']
      if (tokens.every(token => token === '')) return ignored('not_a_report')
      return await unsubscribed(
        ctx,
        await firstGenuine(ctx, tokens, 'unsubscribe', onlyAccountId),
        { source: 'mailto' },
        onlyAccountId,
      )
    }
  }
}

/** The envelope recipient if it is a return path; without one, the return paths in the text. */
function ownReturnPaths(recipient: string | null, text: string): string[] {
  if (recipient !== null && returnPathToken(recipient) !== null) return [recipient]
  return returnPathsIn(text)
}

/** Mail systems send bounces without a sender, but some put their own name there. */
function isFromMailSystem(
  { hasNullSender, notice }: Extract<IncomingMail, { kind: 'mail' }>,
  isNull: boolean | undefined,
): boolean {
  return (isNull ?? hasNullSender ?? true) || /\b(?:mailer-?daemon|postmaster)\b/i.test(notice.from)
}

async function bounceInWords(
  ctx: MessageContext,
  notice: Notice,
  mail: Uint8Array,
  returnPaths: readonly string[],
  onlyAccountId: string | null,
): Promise<SourceAccepted> {
  const tokenOf = (path: string): string => returnPathToken(path) ?? ''
  const { sent, away } = await findSentRecipients(ctx, returnPaths.map(tokenOf), onlyAccountId)
  const returnPath = returnPaths.find(path => sent.has(tokenOf(path)))
  const recipient = sent.get(tokenOf(returnPath ?? ''))?.address
  if (returnPath === undefined || recipient === undefined) {
    if (returnPaths.some(path => away.has(tokenOf(path)))) throw accountMoving()
    return ignored('unverified')
  }
  const reports = fromBounceText(notice, mail, { returnPath, recipient }, ctx.clock.nowMs())
  return await stored(ctx, reports, onlyAccountId)
}

async function stored(
  ctx: MessageContext,
  reports: readonly Translated[],
  onlyAccountId: string | null,
): Promise<SourceAccepted> {
  const judged = await judgeReports(ctx, reports, onlyAccountId)
  const none = { events: [], ignored: [] }
  return answerOf(judged, judged.outcomes.length === 0 ? none : await ctx.outcomes.group(judged.outcomes))
}

async function unsubscribed(
  ctx: MessageContext,
  recipient: MailRecipient | null,
  how: Unsubscription,
  onlyAccountId: string | null,
): Promise<SourceAccepted> {
  if (recipient === null || (onlyAccountId !== null && recipient.accountId !== onlyAccountId)) {
    return ignored('unverified')
  }
  const event = await unsubscribe(ctx, recipient, how)
  return event === null ? ignored('superseded') : { accepted: 1, events: [event], ignored: [] }
}

/** Finds the recipient of the original email by its return path or its unsubscribe link. */
async function complainant(
  ctx: MessageContext,
  text: string,
  onlyAccountId: string | null,
): Promise<MailRecipient | null> {
  const tokens = returnPathsIn(text).flatMap(address => returnPathToken(address) ?? [])
  return (
    (await firstGenuine(ctx, tokens, 'return_path', onlyAccountId)) ??
    (await firstGenuine(ctx, unsubscribeTokensIn(text), 'unsubscribe', onlyAccountId))
  )
}

async function firstGenuine(
  ctx: MessageContext,
  tokens: readonly string[],
  purpose: 'return_path' | 'unsubscribe',
  onlyAccountId: string | null,
): Promise<MailRecipient | null> {
  for (const token of tokens) {
    const recipient = await readMailToken(ctx, token, purpose, onlyAccountId)
    if (recipient !== null) return recipient
  }
  return null
}

function ignored(reason: SourceAccepted['ignored'][number]['reason']): SourceAccepted {
  return { accepted: 0, events: [], ignored: [{ index: 0, reason }] }
}
