import * as z from 'zod'
import { domainRecordPurposes, domainRecordStates } from '../domain-record.ts'
import { id } from '../ids.ts'
import { pageOf } from '../page.ts'
import { timestamp } from '../timestamp.ts'

const record = z
  .object({
    purpose: z.enum(domainRecordPurposes),
    required: z.boolean().meta({ description: 'Whether Posthorn needs this record before it signs emails.' }),
    type: z.enum(['TXT', 'MX', 'CNAME']),
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
    return_path_domain: z.string().nullable().meta({
      description:
        'Where bounces of the domain arrive, as soon as its CNAME record is verified. If null, they arrive at the return path of the operator.',
    }),
    link_host: z.string().nullable().meta({
      description:
        'The host in unsubscribe links of the domain, as soon as its CNAME record is verified. If null, it is the host of the operator.',
    }),
    records: z.array(record),
    verified_at: timestamp.nullable().meta({
      description:
        'When a check first found the DKIM record. Posthorn checks it daily. If null, Posthorn does not sign emails of the domain.',
    }),
    return_path_verified_at: timestamp.nullable().meta({
      description:
        'When a check first found the CNAME record of `return_path_domain`. Posthorn uses that domain only if this and `verified_at` are set.',
    }),
    link_host_verified_at: timestamp.nullable().meta({
      description:
        'When a check first found the CNAME record of `link_host`. Posthorn uses that host only if this and `verified_at` are set.',
    }),
    checked_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'SendingDomain' })

export const sendingDomainPage = pageOf(sendingDomain).meta({ id: 'SendingDomainPage' })

const ownHosts = {
  return_path_domain: z
    .string()
    .max(180)
    .nullable()
    .optional()
    .meta({
      description:
        'A name below the domain for its own return path, so that SPF matches your From address. Publish the CNAME record in the response. Null: the return path of the operator.',
      examples: ['bounces.mail.example.com'],
    }),
  link_host: z
    .string()
    .max(253)
    .nullable()
    .optional()
    .meta({
      description:
        'A name below the domain for its unsubscribe links. Publish the CNAME record in the response. Null: the host of the operator.',
      examples: ['links.mail.example.com'],
    }),
}

export const sendingDomainCreate = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(253)
      .meta({ description: 'The part after the @ in your From address.', examples: ['mail.example.com'] }),
    ...ownHosts,
  })
  .meta({ id: 'SendingDomainCreate' })

export const sendingDomainUpdate = z.strictObject(ownHosts).meta({ id: 'SendingDomainUpdate' })

export type DomainRecord = z.infer<typeof record>
export type SendingDomain = z.infer<typeof sendingDomain>
export type SendingDomainCreate = z.output<typeof sendingDomainCreate>
export type SendingDomainUpdate = z.output<typeof sendingDomainUpdate>
