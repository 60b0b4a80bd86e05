import { ApiProblem } from '../api/problem.ts'
import { isOwnEmailId } from '../format/own-email-id.ts'
import { emailMatch } from './email-match.ts'
import { eventMatch } from './event-match.ts'
import type { LookUp } from './look-up.ts'
import type { Match } from './match.ts'

/** The length of the list under the search box; the events page has the rest. */
const eventsMax = 8

export async function findEvent({ call, signal }: LookUp, id: string): Promise<Match[]> {
  const event = await call('getEvent', { params: { id }, signal })
  return [eventMatch(event, event.deliveries ?? [])]
}

/** The email, if this service sent it, and its events. */
export async function findEmail(context: LookUp, emailId: string): Promise<Match[]> {
  const [own, events] = await Promise.all([
    isOwnEmailId(emailId) ? findOwnEmail(context, emailId) : [],
    findEvents(context, { email_id: emailId }),
  ])
  const matches = [...own, ...events]
  if (matches.length <= eventsMax) return matches
  const href = `/events?${new URLSearchParams({ email: emailId })}`
  return [
    ...matches.slice(0, eventsMax),
    { group: 'Events', href, title: 'All events of this email', detail: emailId },
  ]
}

async function findOwnEmail({ call, signal }: LookUp, id: string): Promise<Match[]> {
  try {
    return [emailMatch(await call('getEmail', { params: { id }, signal }))]
  } catch (error) {
    // another system may use email ids of this form
    if (error instanceof ApiProblem && error.status === 404) return []
    throw error
  }
}

export async function findRecipient(context: LookUp, recipient: string): Promise<Match[]> {
  const matches = await findEvents(context, { recipient })
  // email ids of some systems look like addresses
  if (matches.length === 0) return await findEmail(context, recipient)
  if (matches.length <= eventsMax) return matches
  const all = {
    group: 'Events' as const,
    href: '/events',
    title: 'All events of this recipient',
    detail: recipient,
    recipient,
  }
  return [...matches.slice(0, eventsMax), all]
}

async function findEvents(
  { call, signal }: LookUp,
  query: { readonly email_id: string } | { readonly recipient: string },
): Promise<Match[]> {
  const [events, deliveries] = await Promise.all([
    call('listEvents', { query: { ...query, limit: eventsMax + 1 }, signal }),
    call('searchDeliveries', { query: { ...query, limit: 100 }, signal }),
  ])
  return events.data.map(event =>
    eventMatch(
      event,
      deliveries.data.filter(({ event_id: id }) => id === event.id),
    ),
  )
}
