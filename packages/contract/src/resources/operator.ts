import * as z from 'zod'
import { id } from '../ids.ts'
import { operatorRoles } from '../operator-role.ts'
import { pageOf } from '../page.ts'
import { line } from '../text.ts'
import { timestamp, timestampInput } from '../timestamp.ts'

const role = z.enum(operatorRoles).meta({
  description:
    '`view`: all GET operations of the operator, except the backup. `change`: also every change, and portal links.',
})

/** A token with which one person or program acts as the operator. */
export const operator = z
  .object({
    id: id('opr'),
    name: z.string().meta({ description: 'Who uses the token. The audit log shows this name.' }),
    role,
    created_at: timestamp,
    expires_at: timestamp.nullable().meta({ description: 'Null if the token does not expire.' }),
    last_used_at: timestamp.nullable(),
  })
  .meta({ id: 'Operator' })

export const operatorPage = pageOf(operator).meta({ id: 'OperatorPage' })

export const operatorCreated = operator
  .extend({
    token: z.string().nullable().meta({ description: 'The token. Shown once. Null in a repeated response.' }),
  })
  .meta({ id: 'OperatorCreated' })

export const operatorCreate = z
  .strictObject({
    name: line(100)
      .regex(/^\S(.*\S)?$/, 'must not begin or end with a space')
      // two names that look the same would be one person in the audit log
      .regex(/^[^\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u, 'must not contain invisible characters')
      .refine(
        name => name.toLowerCase() !== 'operator',
        'must not be `operator`, the name of the operator token itself',
      )
      .meta({ description: 'Who uses the token, such as an email address. Unique.' }),
    role,
    expires_at: timestampInput
      .nullable()
      .optional()
      .meta({ description: 'When the token expires. By default it does not expire.' }),
  })
  .meta({ id: 'OperatorCreate' })

export type Operator = z.infer<typeof operator>
export type OperatorCreated = z.infer<typeof operatorCreated>
export type OperatorCreate = z.output<typeof operatorCreate>
