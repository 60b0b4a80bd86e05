import type { SourceAccepted } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import type { DecidedOutcome } from '../domain/decided-outcome.ts'
import {
  returnPathsIn,
  returnPathToken,
  unsubscribeToken,
  unsubscribeTokensIn,
} from '../domain/sources/return-path.ts'
import type { IncomingMail } from '../mail/read-incoming.ts'
import { type MailRecipient, readMailToken } from '../mail/read-mail-token.ts'
import { unsubscribe, type Unsubscription } from '../suppressions/unsubscribe.ts'
import { fromDeliveryReport } from './from-delivery-report.ts'
import { answerOf, judgeReports } from './judge-reports.ts'

export type MessageContext = Pick<Ctx, 'db' | 'seal' | 'clock' | 'random'> & {
  readonly outcomes: {
    group(outcomes: readonly DecidedOutcome[]): Promise<Stored>
    within(
      tx: Ctx['db'],
      outcomes: readonly DecidedOutcome[],
    ): Promise<{ answer: Stored; afterCommit: () => void }>
  }
  /** Whether a spam complaint ends the mails to whom it comes from. */
  readonly complaints: boolean
}

type Stored = Pick<SourceAccepted, 'events' | 'ignored'>

/** A mail that came to one of our addresses. */
export interface IncomingMessage {
  readonly mail: Uint8Array
  /** What it is, by `readIncoming`. */
  readonly incoming: IncomingMail
  /** The envelope's recipient; null when nobody knows it, and the mail itself has to say it. */
  readonly recipient: string | null
  /** Whether the envelope names no sender: nobody unsubscribes like that. Left out: its `Return-Path` says it. */
  readonly hasNullSender?: boolean
}

/**
 * Takes a bounce message, a complaint or a mail to unsubscribe, each about the recipient whose token it bears. Resolves
 * after the commit. Taken again, it changes nothing.
 *
 * @param onlyAccountId of a caller who may speak for this account alone
 */
export async function takeMessage(
  ctx: MessageContext,
  { mail, incoming, recipient, hasNullSender }: IncomingMessage,
  onlyAccountId: string | null,
): Promise<SourceAccepted> {
  switch (incoming.kind) {
    case 'other_feedback':
      return ignored('not_a_report')
    case 'delivery_report': {
      const isOurs = recipient !== null && returnPathToken(recipient) !== null
      const returnPaths = isOurs ? [recipient] : returnPathsIn(incoming.text)
      if (returnPaths.length === 0) return ignored('unverified')
      const reports = fromDeliveryReport(incoming.report, mail, returnPaths, ctx.clock.nowMs())
      const judged = await judgeReports(ctx, reports, onlyAccountId)
      const none = { events: [], ignored: [] }
      return answerOf(judged, judged.outcomes.length === 0 ? none : await ctx.outcomes.group(judged.outcomes))
    }
    case 'complaint': {
      if (!ctx.complaints) return ignored('not_an_outcome')
      const { feedbackType, text } = incoming
      const found = await complainant(ctx, `${recipient ?? ''}\n${text}`)
      return await unsubscribed(ctx, found, { source: 'complaint', feedbackType }, onlyAccountId)
    }
    case 'mail': {
      if (hasNullSender ?? incoming.hasNullSender) return ignored('not_a_report')
      const own = recipient === null ? null : unsubscribeToken(recipient)
      const tokens = recipient === null ? unsubscribeTokensIn(incoming.destinations) : [own ?? '']
      if (tokens.every(token => token === '')) return ignored('not_a_report')
      return await unsubscribed(
        ctx,
        await firstGenuine(ctx, tokens, 'unsubscribe'),
        { source: 'mailto' },
        onlyAccountId,
      )
    }
  }
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

/** The mail complained about names its return path, or how to unsubscribe from it. */
async function complainant(ctx: MessageContext, text: string): Promise<MailRecipient | null> {
  const tokens = returnPathsIn(text).flatMap(address => returnPathToken(address) ?? [])
  return (
    (await firstGenuine(ctx, tokens, 'return_path')) ??
    (await firstGenuine(ctx, unsubscribeTokensIn(text), 'unsubscribe'))
  )
}

async function firstGenuine(
  ctx: MessageContext,
  tokens: readonly string[],
  purpose: 'return_path' | 'unsubscribe',
): Promise<MailRecipient | null> {
  for (const token of tokens) {
    const recipient = await readMailToken(ctx, token, purpose)
    if (recipient !== null) return recipient
  }
  return null
}

function ignored(reason: SourceAccepted['ignored'][number]['reason']): SourceAccepted {
  return { accepted: 0, events: [], ignored: [{ index: 0, reason }] }
}
