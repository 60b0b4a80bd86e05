import { hash } from 'node:crypto'
import { countedOutcome } from '../domain/counted-outcome.ts'
import type { DecidedOutcome, EventData } from '../domain/decided-outcome.ts'
import { eventBody } from '../domain/event-body.ts'
import { foldedAddress } from '../domain/folded-address.ts'
import { momentText } from '../domain/moment-text.ts'
import { optInOutcome } from '../domain/opt-in-outcome.ts'
import { suppressionCause } from '../domain/suppression.ts'
import { parseTypeId, typeId } from '../domain/type-id.ts'
import { uuidV7Ms, withTimeOf } from '../domain/uuid-v7.ts'
import { AppError } from '../errors.ts'
import { finalRecipientOf } from '../events/final-recipient.ts'
import { filterKeys } from '../events/filter-keys.ts'
import { searchKey } from '../events/search-key.ts'
import type { NewEvent } from './accept.ts'

/** The largest body of an event (decisions §7). */
const eventBytesMax = 256 * 1024

/**
 * Gives a decided outcome its ids and its final bytes.
 * @param index its place in the request, for the error
 * @throws AppError `event_too_large`
 */
export function newEvent(outcome: DecidedOutcome, newId: () => string, index: number): NewEvent {
  const id = newId()
  const { accountId, type, data } = outcome
  const body = eventBody({
    id: typeId('evt', id),
    type,
    data,
    createdAt: momentText(uuidV7Ms(id)),
  })
  if (body.length > eventBytesMax) throw tooLarge(index, body.length)
  const searchKeys = [searchKey(accountId, 'email_id', data.email_id)]
  const cause = suppressionCause(type, data)
  for (const recipient of data.to) searchKeys.push(searchKey(accountId, 'recipient', recipient))
  const finalRecipient = finalRecipientOf(data)
  if (finalRecipient !== null) searchKeys.push(searchKey(accountId, 'final_recipient', finalRecipient))
  const counted = countedOutcome(type, data)
  if (counted.reason !== '') searchKeys.push(searchKey(accountId, 'reason', counted.reason))
  return {
    accountId,
    id,
    firstDeliveryId: withTimeOf(id, newId()),
    type,
    body,
    searchKeys,
    filterKeys: filterKeys(accountId, data),
    outcomeDigest: outcomeDigest(outcome),
    counted,
    traceparent: outcome.traceparent,
    ...alsoFor(outcome, newId, index),
    ...(outcome.isOncePerRecipient === true && {
      recipientDigest: recipientDigest(outcome, finalRecipient),
      ...ofEmail(outcome),
    }),
    ...(cause !== null && {
      suppresses: {
        ...cause,
        ...(outcome.erasedAddress !== undefined && { address: outcome.erasedAddress, isErased: true }),
        accountId,
        emailId: data.email_id,
        eventId: id,
      },
    }),
  }
}

/** Ids of reporters have no control characters, so no other outcome has the key of a recipient's first deferral. */
function outcomeDigest(outcome: DecidedOutcome): string | null {
  if (outcome.type === 'email.deferred') return recipientDigest(outcome, null)
  return outcome.outcomeId === null ? null : digest(outcome.outcomeId)
}

function alsoFor(outcome: DecidedOutcome, newId: () => string, index: number): Pick<NewEvent, 'also'> {
  const { accountId, traceparent } = outcome
  const found = optInOutcome(outcome)
  if (found === null) return {}
  return { also: newEvent({ ...found, accountId, outcomeId: null, traceparent }, newId, index) }
}

/**
 * An address that a recipient's mail was forwarded to has its own state, separate from the recipient's. Two reports may spell an
 * address differently. The recipients of Posthorn's own emails are spelled as they were sent, and two may differ only in case.
 */
function recipientDigest({ data, isForwarded }: DecidedOutcome, finalRecipient: string | null): string {
  const [address = ''] = data.to
  const isOwn = parseTypeId('em', data.email_id) !== null
  const recipient = `${data.email_id}\0${isOwn ? address : foldedAddress(address)}`
  if (isForwarded !== true) return digest(recipient)
  return digest(`${recipient}\0forwarded\0${foldedAddress(finalRecipient ?? '')}`)
}

/** Set if the id looks like one of Posthorn's own emails; whether it exists is not known here. */
function ofEmail({ data, isForwarded = false }: DecidedOutcome): Pick<NewEvent, 'onEmail'> {
  const emailId = parseTypeId('em', data.email_id)
  if (emailId === null) return {}
  return { onEmail: { emailId, address: data.to[0] ?? '', reply: replyOf(data), isForwarded } }
}

/** The mail server's reply, or our own message if there was none. */
function replyOf(data: EventData): string | null {
  const failure = data['failure'] as { message: string } | undefined
  const reply =
    data['smtp_response'] ?? (failure && { code: null, enhanced_code: null, message: failure.message })
  return reply === undefined ? null : JSON.stringify({ ...reply, remote_mta: data['remote_mta'] })
}

function digest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32)
}

function tooLarge(index: number, bytes: number): AppError {
  const message = `the event would have ${bytes} bytes; at most ${eventBytesMax} are allowed`
  return new AppError('event_too_large', `Outcome ${index}: ${message}. Shorten metadata, tags or subject.`, [
    { path: `/${index}/data`, message },
  ])
}
