import * as z from 'zod'
import { urlCheckFindingCodes } from '../check-finding-code.ts'
import { timestamp } from '../timestamp.ts'
import { attemptPhases } from './attempt.ts'

export const urlCheckCreate = z
  .strictObject({ url: z.string().meta({ format: 'uri', examples: ['https://hooks.example.com/mail'] }) })
  .meta({ id: 'UrlCheckCreate' })

/** The result of one HEAD request to a URL. */
export const urlCheck = z
  .object({
    ok: z.boolean().meta({ description: 'False if a finding is critical.' }),
    addresses_found: z.boolean().nullable().meta({
      description: 'Whether the host has an address that Posthorn may deliver to. Null if unknown.',
    }),
    connected: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether Posthorn could connect. Null if it did not try.' }),
    tls: z
      .object({
        valid_until: timestamp.meta({ description: 'When the certificate expires.' }),
        issuer: z.string().nullable().meta({ description: 'The issuer of the certificate.' }),
      })
      .nullable()
      .meta({ description: 'Null without TLS, or if TLS failed.' }),
    status_code: z.int().nullable(),
    redirect_to: z
      .string()
      .nullable()
      .meta({ description: 'The URL that the response redirects to. Posthorn did not follow it.' }),
    phases: attemptPhases,
    findings: z.array(
      z.object({
        code: z.enum(urlCheckFindingCodes),
        severity: z.enum(['warning', 'critical']),
        message: z.string().meta({ description: 'What is wrong, and what the owner of the URL should do.' }),
      }),
    ),
  })
  .meta({ id: 'UrlCheck' })

export type UrlCheckCreate = z.output<typeof urlCheckCreate>
export type UrlCheck = z.infer<typeof urlCheck>
export type UrlCheckFinding = UrlCheck['findings'][number]
