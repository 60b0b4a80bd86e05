import * as z from 'zod'
import { domainRecordPurposes } from '../domain-record.ts'
import { id } from '../ids.ts'
import { timestamp } from '../timestamp.ts'

const message = z.string().meta({ description: 'One sentence that says what happened and what to do.' })

const subject = {
  webhook_id: id('wh'),
  description: z.string().meta({ description: 'The description of the endpoint. It may be empty.' }),
  url: z.string().meta({ description: "The endpoint's URL." }),
  message,
  failures_in_row: z.int(),
  failing_since: timestamp.nullable(),
}

const sendingDomain = {
  domain_id: id('dom'),
  name: z.string().meta({ description: 'The sending domain.' }),
  message,
}

/** The `data` of each type of notice. A notice has the same envelope, headers and signature as an event. */
export const noticeData = {
  'webhook.warning': z
    .object({
      ...subject,
      code: z.enum(['delivery_exhausted', 'failing_half_time']),
      disables_at: timestamp.nullable(),
    })
    .meta({ id: 'WebhookWarningNotice' }),
  'webhook.disabled': z
    .object({ ...subject, reason: z.enum(['failing', 'gone']), waiting: z.int() })
    .meta({ id: 'WebhookDisabledNotice' }),
  'webhook.recovered': z.object(subject).meta({ id: 'WebhookRecoveredNotice' }),
  'domain.warning': z
    .object({
      ...sendingDomain,
      records: z
        .array(z.object({ purpose: z.enum(domainRecordPurposes), name: z.string(), message: z.string() }))
        .meta({ description: 'The DNS records that are gone or changed.' }),
    })
    .meta({ id: 'DomainWarningNotice' }),
  'domain.recovered': z.object(sendingDomain).meta({ id: 'DomainRecoveredNotice' }),
  'sending.suspended': z
    .object({ message, reason: z.enum(['bounce_rate', 'complaint_rate']), rate: z.number() })
    .meta({ id: 'SendingSuspendedNotice' }),
} as const

export type NoticeType = keyof typeof noticeData
export type NoticeData<Type extends NoticeType> = z.infer<(typeof noticeData)[Type]>
