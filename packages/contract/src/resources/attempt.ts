import * as z from 'zod'
import { attemptErrorCodes } from '../attempt-error-code.ts'
import { attemptTriggers } from '../attempt-trigger.ts'
import { id } from '../ids.ts'
import { timestamp } from '../timestamp.ts'

const milliseconds = z.number().nullable()

/** The duration of each phase in milliseconds. Null if the phase did not happen. */
export const attemptPhases = z
  .object({
    dns_ms: milliseconds,
    connect_ms: milliseconds,
    tls_ms: milliseconds,
    first_byte_ms: milliseconds,
  })
  .meta({ description: 'The duration of each phase in milliseconds. Null if the phase did not happen.' })

/** One HTTP request for a delivery, with its result. */
export const attempt = z
  .object({
    id: id('att'),
    number: z.int().min(1).meta({ description: 'The number of the attempt within its delivery, from 1.' }),
    started_at: timestamp,
    duration_ms: z.number().meta({ description: 'The duration of the attempt in milliseconds.' }),
    phases: attemptPhases,
    outcome: z.enum(['delivered', 'failed']),
    status_code: z
      .int()
      .nullable()
      .meta({ description: 'The status code of the response. Null if there was no response.' }),
    error: z
      .object({
        code: z.enum(attemptErrorCodes),
        message: z
          .string()
          .meta({ description: 'What happened, and what the owner of the endpoint should do.' }),
      })
      .nullable()
      .meta({ description: 'Why the attempt failed. Null if it succeeded.' }),
    request_headers: z.record(z.string(), z.string()).nullable().meta({
      description:
        'The headers that Posthorn sent. Values of your own headers are shown as `***`. Null if Posthorn sent nothing, or after an erasure.',
    }),
    response_headers: z.record(z.string(), z.string()).nullable().meta({
      description: 'The headers of the response. Null if there was no response, or after an erasure.',
    }),
    response_body: z.string().nullable().meta({ description: 'The start of the response body.' }),
    verified_by: z.string().nullable().meta({
      description:
        'The signature parts that your receiver reported as verified, such as `v1,v1s`. Use it only as a hint.',
    }),
    trigger: z.enum(attemptTriggers).meta({
      description:
        '`schedule`: the first attempt or an automatic retry. `manual`: a retry that you requested. `replay`: a replay. `test`: a test event.',
    }),
  })
  .meta({ id: 'Attempt' })

export type Attempt = z.infer<typeof attempt>
