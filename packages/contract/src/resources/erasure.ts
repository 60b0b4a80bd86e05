import * as z from 'zod'
import { emailAddress } from '../events/common.ts'
import { id } from '../ids.ts'
import { timestamp } from '../timestamp.ts'

/** A job that removes the address of a person. When it is done, it is the receipt. */
export const erasure = z
  .object({
    id: id('era'),
    state: z.enum(['running', 'done']),
    events: z.int().meta({ description: 'How many events were erased.' }),
    deliveries: z
      .int()
      .meta({ description: 'How many deliveries these events have. Posthorn never sends them again.' }),
    attempts: z.int().meta({ description: 'How many attempts had their headers and bodies removed.' }),
    created_at: timestamp,
    finished_at: timestamp.nullable(),
  })
  .meta({ id: 'Erasure' })

export const erasureCreate = z
  .strictObject({
    recipient: emailAddress,
    account_id: id('acct')
      .optional()
      .meta({ description: 'Required for the operator. Omit it if you use an API key.' }),
  })
  .meta({ id: 'ErasureCreate' })

export type Erasure = z.infer<typeof erasure>
export type ErasureCreate = z.output<typeof erasureCreate>
