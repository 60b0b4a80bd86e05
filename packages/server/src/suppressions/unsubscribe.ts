import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { type DecidedOutcome, fillOutcome } from '../domain/decided-outcome.ts'
import { erasedAddress } from '../domain/erased-address.ts'
import { foldedAddress } from '../domain/folded-address.ts'
import { suppressionCause } from '../domain/suppression.ts'
import { parseTypeId, typeId } from '../domain/type-id.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'
import type { MailRecipient } from '../mail/read-mail-token.ts'
import { findAddressMac } from './address-mac.ts'

export type UnsubscribeContext = Pick<Ctx, 'db' | 'seal' | 'clock'> & {
  /** Stores outcomes. */
  readonly outcomes: {
    within(
      tx: Queryable,
      outcomes: readonly DecidedOutcome[],
    ): Promise<{ answer: { events: string[] }; afterCommit: () => void }>
  }
}

/** How a recipient unsubscribed. */
export interface Unsubscription {
  readonly source: 'one_click' | 'link' | 'mailto' | 'complaint'
  /** Whether it is for all lists, although the email belongs to one list. */
  readonly isOfAll?: boolean
  /** The `Feedback-Type` of a complaint. */
  readonly feedbackType?: string
}

/**
 * Unsubscribes a recipient: stores an `email.unsubscribed` and its suppression in one transaction. Until the suppression is
 * lifted, doing it again changes nothing and creates no event.
 *
 * @param recipient from a genuine token
 * @returns the id of the event; null if the recipient has already unsubscribed
 */
export async function unsubscribe(
  ctx: UnsubscribeContext,
  recipient: MailRecipient,
  how: Unsubscription,
): Promise<string | null> {
  let afterCommit = (): void => {}
  const eventId = await ctx.db.transaction(async tx => {
    const outcome = await outcomeOf({ ...ctx, db: tx }, recipient, how)
    if (await isAlreadySuppressed({ ...ctx, db: tx }, outcome)) return null
    const stored = await ctx.outcomes.within(tx, [outcome])
    afterCommit = stored.afterCommit
    const [eventId] = stored.answer.events
    if (eventId === undefined) return null
    if (how.source !== 'complaint') await markAsOwn({ ...ctx, db: tx }, recipient, eventId)
    return eventId
  })
  afterCommit()
  return eventId
}

/** Lets the email's link undo the suppression. If another event caused it at the same time, it stays as it is. */
async function markAsOwn(
  ctx: Pick<Ctx, 'db' | 'seal'>,
  { accountId, address }: MailRecipient,
  eventId: string,
): Promise<void> {
  const mac = await findAddressMac(ctx, accountId)
  if (mac === null) return
  await ctx.db.query(
    `update suppression set by_recipient = true
     where account_id = $1 and address_mac = $2 and event_id = $3 and lifted_at is null`,
    [accountId, mac(address), parseTypeId('evt', eventId)],
  )
}

async function outcomeOf(
  ctx: Pick<Ctx, 'db' | 'clock'>,
  recipient: MailRecipient,
  { source, isOfAll = false, feedbackType }: Unsubscription,
): Promise<DecidedOutcome> {
  const { accountId, emailId, address, list, isErased } = recipient
  const isOfList = list !== null && !isOfAll && source !== 'complaint'
  const unsubscribed = {
    source,
    scope: isOfList ? { type: 'list', id: list } : { type: 'all' },
    ...(feedbackType !== undefined && { feedback_type: feedbackType }),
  }
  const reported = {
    email_id: typeId('em', emailId),
    to: [isErased ? erasedAddress : address],
    ...(await describedEmail(ctx.db, recipient)),
    unsubscribe: unsubscribed,
  }
  const now = new Date(ctx.clock.nowMs()).toISOString()
  const data = fillOutcome('email.unsubscribed', reported, now)
  const outcome: DecidedOutcome = { accountId, type: 'email.unsubscribed', data, outcomeId: null }
  return isErased ? { ...outcome, erasedAddress: address } : outcome
}

/** The fields of the email, if it is still stored; links work longer than that. */
async function describedEmail(db: Queryable, { accountId, emailId }: MailRecipient): Promise<object> {
  const [row] = await db.query<{
    from: string
    subject: string
    message_id: string
    tags: object | null
    metadata: object | null
  }>(
    `select from_address as from, subject, message_id, tags, metadata from email
     where account_id = $1 and id = $2 and erased_at is null`,
    [accountId, emailId],
  )
  if (row === undefined) return {}
  const { tags, metadata, ...rest } = row
  const sentAt = new Date(uuidV7Ms(emailId)).toISOString()
  return { ...rest, tags: tags ?? {}, metadata: metadata ?? {}, sent_at: sentAt }
}

/**
 * Whether the suppression already exists. A second concurrent request waits here for the commit of the first. It uses an
 * advisory lock, because there may be no row yet. Also, code that stores outcomes locks endpoints before suppressions, so a
 * row lock here could deadlock.
 */
async function isAlreadySuppressed(
  ctx: Pick<Ctx, 'db' | 'seal'>,
  { accountId, type, data, erasedAddress: erased }: DecidedOutcome,
): Promise<boolean> {
  const cause = suppressionCause(type, data)
  if (cause === null) return false
  const { reason, scope } = cause
  const address = erased ?? cause.address
  const list = scope.type === 'list' ? scope.id : null
  await ctx.db.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    [accountId, foldedAddress(address), reason, scope.type, list ?? ''].join('\n'),
  ])
  // does not create the key here, for the same reason; without a key there is no suppression
  const mac = await findAddressMac(ctx, accountId)
  if (mac === null) return false
  const rows = await ctx.db.query(
    `select 1 as one from suppression
     where account_id = $1 and address_mac = $2 and reason = $3 and scope = $4 and list is not distinct from $5
       and lifted_at is null`,
    [accountId, mac(address), reason, scope.type, list],
  )
  return rows.length > 0
}
