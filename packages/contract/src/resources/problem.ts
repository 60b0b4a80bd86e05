import * as z from 'zod'
import { type ErrorCode, errorCodes } from '../error-codes.ts'

export const errorCode = z
  .enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]])
  .meta({ id: 'ErrorCode', description: 'The error code, for programs. The list is closed.' })

/** The body of every error response (RFC 9457, `application/problem+json`). */
export const problem = z
  .object({
    type: z.string().meta({ description: 'A URI reference that names the kind of problem.' }),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string().meta({ description: 'What went wrong and what to do, for people.' }),
    code: errorCode,
    request_id: z.string().meta({
      description: 'The same as the header `X-Request-Id`. Give it to the operator when you ask for help.',
    }),
    errors: z
      .array(
        z.object({
          path: z
            .string()
            .meta({ description: 'A JSON pointer into the body, or `/name` of a query parameter.' }),
          message: z.string(),
        }),
      )
      .optional()
      .meta({ description: 'With 422: each invalid field.' }),
  })
  .meta({ id: 'Problem' })

export type Problem = z.infer<typeof problem>
