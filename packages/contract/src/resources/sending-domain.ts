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
    why: z.string().meta({ description: 'What the record is for.' }),
    state: z.enum(domainRecordStates).meta({
      description:
        'The result of the last check. `failed`: DNS did not respond, so the state of the record is unknown.',
    }),
    found: z.array(z.string()).meta({ description: 'The values that the last check found in DNS.' }),
    message: z
      .string()
      .nullable()
      .meta({ description: 'What the check found and how to fix it. Null before the first check.' }),
  })
  .meta({ id: 'DomainRecord' })

/** A domain that the account sends from, with the DNS records that it needs. */
export const sendingDomain = z
  .object({
    id: id('dom'),
    name: z.string().meta({ description: 'In lower case. International names are written as A-labels.' }),
    dkim_selector: z.string(),
    records: z.array(record),
    verified_at: timestamp.nullable().meta({
      description:
        'When a check first found the DKIM record. Posthorn checks it daily. If null, Posthorn does not sign emails of the domain.',
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
