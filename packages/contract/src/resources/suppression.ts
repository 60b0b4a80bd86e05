import * as z from 'zod'
import { emailAddress } from '../events/common.ts'
import { id } from '../ids.ts'
import { anyOf, pageOf, pageQuery } from '../page.ts'
import { suppressionCountMax, suppressionReasons, suppressionStates } from '../suppression-reason.ts'
import { line } from '../text.ts'
import { timestamp } from '../timestamp.ts'

const scopeType = z.enum(['all_mail', 'all_lists', 'list']).meta({
  description:
    '`all_mail`: every email of the account. `all_lists`: emails sent with `unsubscribe`. `list`: emails sent with `unsubscribe` for that list.',
})
const listId = line(255)

/** An address that Posthorn sends no email to: why, and which emails it affects. */
export const suppression = z
  .object({
    id: id('sup'),
    state: z.enum(suppressionStates).meta({
      description:
        'Only `active` suppressions stop emails. `lapsed`: expired by itself. `lifted`: removed by a person.',
    }),
    address: z
      .string()
      .nullable()
      .meta({ description: 'Null after an erasure of the address. The suppression still applies.' }),
    reason: z.enum(suppressionReasons).meta({
      description:
        '`bounce`: the mailbox does not exist. `domain_bounce`: the domain accepts no email; this suppression expires. `complaint`: the recipient marked an email as spam. `unsubscribe`: the recipient unsubscribed. `manual`: the account added it.',
    }),
    scope: z
      .object({ type: scopeType, id: z.string().nullable().meta({ description: 'The id of the list.' }) })
      .meta({ description: 'Which emails the suppression stops.' }),
    email_id: z.string().nullable().meta({ description: 'The email that caused the suppression.' }),
    event_id: id('evt').nullable().meta({ description: 'The event that caused the suppression.' }),
    created_at: timestamp,
    lapses_at: timestamp.nullable(),
    lifted_at: timestamp.nullable(),
  })
  .meta({ id: 'Suppression' })

export const suppressionPage = pageOf(suppression).meta({ id: 'SuppressionPage' })

export const suppressionQuery = pageQuery.extend({
  address: emailAddress.optional().meta({ description: 'Case does not matter.' }),
  reason: anyOf(suppressionReasons).optional(),
  state: anyOf(suppressionStates).optional().meta({
    description: 'One of `active`, `lapsed`, `lifted`, or several separated by commas. Defaults to `active`.',
  }),
})

const count = z.int().min(0).max(suppressionCountMax)

/** How many suppressions are active. */
export const suppressionCounts = z
  .object({
    by_reason: z
      .object({
        bounce: count,
        domain_bounce: count,
        complaint: count,
        unsubscribe: count,
        manual: count,
      })
      .meta({
        description:
          'How many suppressions with each reason are active. Posthorn counts at most 1,000 of each: 1000 means 1,000 or more.',
      }),
  })
  .meta({ id: 'SuppressionCounts' })

export const suppressionCreate = z
  .strictObject({
    address: emailAddress,
    scope: z
      .strictObject({ type: scopeType, id: listId.optional() })
      .refine(({ type, id: list }) => (type === 'list') === (list !== undefined), {
        path: ['id'],
        message: 'is required if the scope is list, and not allowed otherwise',
      })
      .optional()
      .meta({ description: 'Defaults to `all_mail`.' }),
  })
  .meta({ id: 'SuppressionCreate' })

/** The result of an import of suppressions. */
export const suppressionImport = z
  .object({
    lines: z.int().meta({ description: 'How many records the file has, without the header.' }),
    added: z.int().meta({ description: 'How many suppressions were created.' }),
    unchanged: z
      .int()
      .meta({ description: 'How many records were already suppressed for the same reason and scope.' }),
    rejected: z.int().meta({ description: 'How many records were invalid.' }),
    rejections: z
      .array(
        z.object({
          line: z
            .int()
            .meta({ description: 'The line on which the record starts. The header is on line 1.' }),
          reason: z.string().meta({ description: 'What is wrong with the record.' }),
        }),
      )
      .meta({ description: 'The rejected records, at most 1,000.' }),
  })
  .meta({ id: 'SuppressionImport' })

export type SuppressionCounts = z.infer<typeof suppressionCounts>
export type SuppressionImport = z.infer<typeof suppressionImport>
export type Suppression = z.infer<typeof suppression>
export type SuppressionQuery = z.output<typeof suppressionQuery>
export type SuppressionCreate = z.output<typeof suppressionCreate>
