import * as z from 'zod'
import { checkFindingCodes } from '../check-finding-code.ts'
import { attemptPhases } from './attempt.ts'

/** The result of two requests to an endpoint, one of them with a wrong signature. */
export const endpointCheck = z
  .object({
    ok: z.boolean().meta({ description: 'False if a finding is critical.' }),
    verifies: z.boolean().nullable().meta({
      description:
        'Whether your receiver accepts the right signature and rejects the wrong one. Null if unknown.',
    }),
    phases: attemptPhases,
    findings: z.array(
      z.object({
        code: z.enum(checkFindingCodes),
        severity: z.enum(['warning', 'critical']),
        message: z
          .string()
          .meta({ description: 'What is wrong, and what the owner of the endpoint should do.' }),
      }),
    ),
  })
  .meta({ id: 'EndpointCheck' })

export type EndpointCheck = z.infer<typeof endpointCheck>
export type CheckFinding = EndpointCheck['findings'][number]
