import * as z from 'zod'
import { attemptErrorCodes } from '../attempt-error-code.ts'
import { attemptTriggers } from '../attempt-trigger.ts'
import { id } from '../ids.ts'
import { timestamp } from '../timestamp.ts'

const milliseconds = z.number().nullable()

/** Milliseconds for each phase of a request; null for one that did not take place. */
export const attemptPhases = z.object({
  dns_ms: milliseconds,
  connect_ms: milliseconds,
  tls_ms: milliseconds,
  first_byte_ms: milliseconds,
})

/** One HTTP request for a delivery, and what came of it. */
export const attempt = z
  .object({
    id: id('att'),
    number: z.int().min(1),
    started_at: timestamp,
    duration_ms: z.number(),
    phases: attemptPhases,
    outcome: z.enum(['delivered', 'failed']),
    status_code: z.int().nullable(),
    error: z
      .object({
        code: z.enum(attemptErrorCodes),
        message: z.string().meta({ description: 'What the owner of the endpoint should fix.' }),
      })
      .nullable(),
    request_headers: z.record(z.string(), z.string()).nullable().meta({
      description:
        'The headers that Posthorn sent. Values of your own headers are shown as `***`. Null if nothing was sent, or after an erasure.',
    }),
    response_headers: z.record(z.string(), z.string()).nullable(),
    response_body: z.string().nullable().meta({ description: 'The start of the response body.' }),
    verified_by: z.string().nullable().meta({
      description:
        'The signature parts that your receiver reported as verified, such as `v1,v1s`. A hint only.',
    }),
    trigger: z.enum(attemptTriggers),
  })
  .meta({ id: 'Attempt' })

export type Attempt = z.infer<typeof attempt>
