import type { Email, EventType, MailReply } from '@posthorn/contract'
import { countedOutcome } from '../domain/counted-outcome.ts'
import { typeId } from '../domain/type-id.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'
import { readEventData } from '../events/event-data.ts'

export interface EmailRow {
  id: string
  from_address: string
  subject: string
  message_id: string
  tags: Email['tags'] | null
  metadata: Email['metadata'] | null
  unsubscribable: boolean
  unsubscribe_list: string | null
  erased_at: Date | null
  to: string[]
  cc: string[]
  bcc: string[]
  states: Email['states']
  reply: MailReply | null
  /** Of the latest event; null: there is none. */
  event_id: string | null
  event_type: EventType | null
  /** Null for deliveries. */
  event_body: Uint8Array | null
}

/** A select of complete email rows; `found` is a select from `email`. */
export function selectEmails(found: string): string {
  const inField = (field: string): string =>
    `coalesce(array_agg(address order by number) filter (where field = '${field}'), '{}') as "${field}"`
  const inState = (state: string): string => `'${state}', count(*) filter (where state = '${state}')`
  const ofWorst = (column: string): string =>
    `(array_agg(${column} order by array_position('{bounced,failed,delivered}', state), event_id desc)
      filter (where event_id is not null))[1]`
  return `select m.id, m.from_address, m.subject, m.message_id, m.tags, m.metadata, m.unsubscribable,
      m.unsubscribe_list, m.erased_at, r."to", r.cc, r.bcc, r.states, r.reply,
      v.id as event_id, v.type::text as event_type,
      case when v.type <> 'email.delivered' then v.body end as event_body
    from (${found}) m cross join lateral (
      select ${inField('to')}, ${inField('cc')}, ${inField('bcc')},
        json_build_object(${['queued', 'handed_over', 'delivered', 'bounced', 'failed'].map(inState).join(', ')}) as states,
        ${ofWorst('event_id')} as event_id, ${ofWorst('reply')} as reply
      from (
        -- the order forces the primary key, even in a plan that was made while the partition was empty
        select * from email_recipient
        where account_id = m.account_id and email_id >= m.id and email_id <= m.id
        order by email_id, number
      ) r
    ) r
    left join lateral (
      -- the limit forces a look-up by both columns of the primary key, even in a plan for an empty partition
      select * from event where account_id = m.account_id and id = r.event_id limit 1
    ) v on true`
}

/** An email as the API shows it, without the state of each recipient. */
export function toEmail(row: EmailRow): Email {
  return {
    id: typeId('em', row.id),
    from: row.from_address,
    to: row.to,
    cc: row.cc,
    bcc: row.bcc,
    subject: row.subject,
    message_id: row.message_id,
    tags: row.tags ?? {},
    metadata: row.metadata ?? {},
    unsubscribe: row.unsubscribable ? { list: row.unsubscribe_list } : null,
    states: row.states,
    latest_event: toLatestEvent(row),
    created_at: new Date(uuidV7Ms(row.id)).toISOString(),
    erased_at: row.erased_at?.toISOString() ?? null,
  }
}

function toLatestEvent({
  event_id: id,
  event_type: type,
  event_body: body,
  reply,
}: EmailRow): Email['latest_event'] {
  if (id === null || type === null) return null
  const reason = body === null ? null : countedOutcome(type, readEventData(body)).reason || null
  return { id: typeId('evt', id), type, reason, reply }
}
