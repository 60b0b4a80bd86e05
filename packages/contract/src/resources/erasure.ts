import * as z from 'zod'
import { emailAddress } from '../events/common.ts'
import { id } from '../ids.ts'
import { timestamp } from '../timestamp.ts'

/** A job that removes a person's address, and its receipt. */
export const erasure = z
  .object({
    id: id('era'),
    state: z.enum(['running', 'done']),
    events: z.int().meta({ description: 'How many events lost their data.' }),
    deliveries: z
      .int()
      .meta({ description: 'How many deliveries these events had. Posthorn never sends them again.' }),
    attempts: z.int().meta({ description: 'How many attempts lost their headers and bodies.' }),
    created_at: timestamp,
    finished_at: timestamp.nullable(),
  })
  .meta({ id: 'Erasure' })

export const erasureCreate = z
  .strictObject({
    recipient: emailAddress,
    account_id: id('acct')
      .optional()
      .meta({ description: 'Required if the operator calls; leave it out with an API key.' }),
  })
  .meta({ id: 'ErasureCreate' })

export type Erasure = z.infer<typeof erasure>
export type ErasureCreate = z.output<typeof erasureCreate>
