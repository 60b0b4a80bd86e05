import type { Email } from '@posthorn/contract'
import { typeId } from '../domain/type-id.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'

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
}

/** A select of complete email rows; `found` is a select from `email`. */
export function selectEmails(found: string): string {
  const inField = (field: string): string =>
    `coalesce(array_agg(address order by number) filter (where field = '${field}'), '{}') as "${field}"`
  const inState = (state: string): string => `'${state}', count(*) filter (where state = '${state}')`
  return `select m.id, m.from_address, m.subject, m.message_id, m.tags, m.metadata, m.unsubscribable,
      m.unsubscribe_list, m.erased_at, r."to", r.cc, r.bcc, r.states
    from (${found}) m cross join lateral (
      select ${inField('to')}, ${inField('cc')}, ${inField('bcc')},
        json_build_object(${['queued', 'handed_over', 'delivered', 'bounced', 'failed'].map(inState).join(', ')}) as states
      from (
        -- the order forces the primary key, even in a plan that was made while the partition was empty
        select * from email_recipient
        where account_id = m.account_id and email_id >= m.id and email_id <= m.id
        order by email_id, number
      ) r
    ) r`
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
    created_at: new Date(uuidV7Ms(row.id)).toISOString(),
    erased_at: row.erased_at?.toISOString() ?? null,
  }
}
