import * as z from 'zod'
import { auditActions } from '../audit-action.ts'
import { id } from '../ids.ts'
import { operatorMethods } from '../operator-method.ts'
import { anyOf, mergedPageOf, pageQuery } from '../page.ts'
import { timestamp, timestampInput } from '../timestamp.ts'

const record = z
  .record(z.string(), z.unknown())
  .nullable()
  .meta({ description: 'The object as the API returns it, without secrets and header values.' })

/** One change: who made it and when, and the object before and after. */
export const auditEntry = z
  .object({
    id: id('aud'),
    at: timestamp,
    actor: z
      .object({
        kind: z.enum(['operator', 'api_key', 'portal_session', 'recipient', 'system']),
        api_key_id: id('key').nullable(),
        portal_session_id: id('pses').nullable(),
        operator: z
          .object({ name: z.string(), method: z.enum(operatorMethods) })
          .nullable()
          .meta({
            description:
              'If `kind` is `operator`: the person, and how Posthorn knew them. With the operator token (`admin_token`), the name is `operator`. Always null for customers.',
          }),
      })
      .meta({
        description:
          '`recipient`: the recipient of an email, who used its unsubscribe link. `system`: Posthorn itself, for example when it disables an endpoint.',
      }),
    action: z.enum(auditActions),
    target: z.string().meta({
      description:
        'The id of the object that was changed, or `branding`, `notice_webhook`, `notice_email` or `suppressions`.',
    }),
    before: record,
    after: record,
    request_id: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' })

export const auditEntryPage = mergedPageOf(auditEntry).meta({ id: 'AuditEntryPage' })

export const auditQuery = pageQuery.extend({
  account_id: id('acct').optional().meta({
    description:
      'Only for the operator. If omitted, the response has the entries that belong to no account, such as sign-ins of the operator.',
  }),
  action: anyOf(auditActions).optional(),
  target: z
    .string()
    .min(1)
    .max(100)
    .regex(/^[a-z0-9_]+$/, 'must be an id')
    .optional()
    .meta({ description: 'Returns only changes of this object.' }),
  since: timestampInput.optional().meta({ description: 'Inclusive, on `at`.' }),
  until: timestampInput.optional().meta({ description: 'Exclusive, on `at`.' }),
})

export type AuditEntry = z.infer<typeof auditEntry>
export type AuditQuery = z.output<typeof auditQuery>
