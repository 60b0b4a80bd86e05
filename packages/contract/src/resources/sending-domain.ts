import * as z from 'zod'
import { domainRecordPurposes, domainRecordStates } from '../domain-record.ts'
import { id } from '../ids.ts'
import { pageOf } from '../page.ts'
import { timestamp } from '../timestamp.ts'

const record = z
  .object({
    purpose: z.enum(domainRecordPurposes),
    required: z.boolean().meta({ description: 'Whether mail is signed only once this one is right.' }),
    type: z.enum(['TXT', 'MX']),
    name: z.string().meta({ description: 'The full name, without a dot at its end.' }),
    value: z.string().meta({ description: 'What to publish. Of an MX: preference and host.' }),
    why: z.string().meta({ description: 'One sentence for people.' }),
    state: z.enum(domainRecordStates).meta({
      description: 'As of the last check. `failed`: the DNS gave no answer, which says nothing.',
    }),
    found: z.array(z.string()).meta({ description: 'What was published there instead, or as well.' }),
    message: z
      .string()
      .nullable()
      .meta({ description: 'What the check found and how to mend it; null before the first check.' }),
  })
  .meta({ id: 'DomainRecord' })

/** A domain whose mail the account may have signed with DKIM, and the DNS records that this takes. */
export const sendingDomain = z
  .object({
    id: id('dom'),
    name: z.string().meta({ description: 'In lower case and as A-labels.' }),
    dkim_selector: z.string(),
    records: z.array(record),
    verified_at: timestamp.nullable().meta({
      description: 'Since when the DKIM record is published; null: mail of the domain is not signed.',
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
      .meta({ description: 'What stands after the @ of your From.', examples: ['mail.example.com'] }),
  })
  .meta({ id: 'SendingDomainCreate' })

export type DomainRecord = z.infer<typeof record>
export type SendingDomain = z.infer<typeof sendingDomain>
export type SendingDomainCreate = z.output<typeof sendingDomainCreate>
