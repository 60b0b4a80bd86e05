import * as z from 'zod'
import { checkFindingCodes } from '../check-finding-code.ts'
import { attemptPhases } from './attempt.ts'

/** What was found out about an endpoint by two requests, one of them wrongly signed. */
export const endpointCheck = z
  .object({
    ok: z.boolean().meta({ description: 'False when a finding is critical.' }),
    verifies: z.boolean().nullable().meta({
      description:
        'Whether your receiver accepts the right signature and rejects the wrong one. Null if the check could not tell.',
    }),
    phases: attemptPhases,
    findings: z.array(
      z.object({
        code: z.enum(checkFindingCodes),
        severity: z.enum(['warning', 'critical']),
        message: z.string().meta({ description: 'What the owner of the endpoint should fix.' }),
      }),
    ),
  })
  .meta({ id: 'EndpointCheck' })

export type EndpointCheck = z.infer<typeof endpointCheck>
export type CheckFinding = EndpointCheck['findings'][number]
