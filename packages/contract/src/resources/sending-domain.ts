import * as z from 'zod'
import { domainRecordPurposes, domainRecordStates } from '../domain-record.ts'
import { id } from '../ids.ts'
import { pageOf } from '../page.ts'
import { timestamp } from '../timestamp.ts'

const record = z
  .object({
    purpose: z.enum(domainRecordPurposes),
    required: z.boolean().meta({ description: 'Whether Posthorn needs this record before it signs emails.' }),
    type: z.enum(['TXT', 'MX']),
    name: z.string().meta({ description: 'The full DNS name, without a trailing dot.' }),
    value: z.string().meta({ description: 'The value to publish. For an MX record: preference and host.' }),
    why: z.string().meta({ description: 'One sentence for people.' }),
    state: z.enum(domainRecordStates).meta({
      description:
        'The result of the last check. `failed`: the DNS did not respond, so the state of the record is unknown.',
    }),
    found: z.array(z.string()).meta({ description: 'The values that the last check found in the DNS.' }),
    message: z
      .string()
      .nullable()
      .meta({ description: 'What the check found and how to fix it. Null before the first check.' }),
  })
  .meta({ id: 'DomainRecord' })

/** A domain whose mail the account may have signed with DKIM, and the DNS records that this takes. */
export const sendingDomain = z
  .object({
    id: id('dom'),
    name: z.string().meta({ description: 'In lower case; international names as A-labels.' }),
    dkim_selector: z.string(),
    records: z.array(record),
    verified_at: timestamp.nullable().meta({
      description:
        'When a check first found the DKIM record. Null: Posthorn does not sign emails of the domain.',
    }),
    checked_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'SendingDomain' })

export const sendingDomainPage = pageOf(sendingDomain).meta({ id: 'SendingDomainPage' })

export const sendingDomainCreate = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(253)
      .meta({ description: 'The part after the @ in your From address.', examples: ['mail.example.com'] }),
  })
  .meta({ id: 'SendingDomainCreate' })

export type DomainRecord = z.infer<typeof record>
export type SendingDomain = z.infer<typeof sendingDomain>
export type SendingDomainCreate = z.output<typeof sendingDomainCreate>
