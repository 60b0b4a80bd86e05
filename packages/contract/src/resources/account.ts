import * as z from 'zod'
import { id } from '../ids.ts'
import { mergedPageOf } from '../page.ts'
import { line } from '../text.ts'
import { timestamp } from '../timestamp.ts'

const name = line(200)
const maxEndpoints = z
  .int()
  .min(0)
  .max(1_000_000)
  .meta({ description: 'The maximum number of webhook endpoints of the account.' })

/** A customer, who owns endpoints, API keys and events. */
export const account = z
  .object({
    id: id('acct'),
    name: z.string(),
    max_endpoints: z.int(),
    endpoint_count: z.int().meta({ description: 'How many endpoints the account has.' }),
    created_at: timestamp,
  })
  .meta({ id: 'Account' })

export const accountPage = mergedPageOf(account).meta({ id: 'AccountPage' })

export const accountCreate = z
  .strictObject({ name, max_endpoints: maxEndpoints.default(10) })
  .meta({ id: 'AccountCreate' })

export const accountUpdate = z
  .strictObject({ name: name.optional(), max_endpoints: maxEndpoints.optional() })
  .meta({ id: 'AccountUpdate' })

export type Account = z.infer<typeof account>
export type AccountCreate = z.output<typeof accountCreate>
export type AccountUpdate = z.output<typeof accountUpdate>
