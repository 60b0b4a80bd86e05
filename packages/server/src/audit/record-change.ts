import type { AuditAction } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { newId } from '../new-id.ts'

/** One change in the audit log. Both records are as the API shows them, so they contain no secret. */
export interface Change {
  accountId: string
  action: AuditAction
  /** The id of the changed object, as the API shows it. */
  target: string
  before: object | null
  after: object | null
}

/** Records who changed what, in the transaction of the change, so that no change is without its entry. */
export async function recordChange(
  ctx: Pick<Ctx, 'db' | 'clock' | 'random' | 'actor'>,
  change: Change,
): Promise<void> {
  const { actor } = ctx
  await ctx.db.query(
    `insert into audit_entry (account_id, id, actor, api_key_id, portal_session_id, operator_name, operator_method, action,
                              target, before, after, request_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb, $11::jsonb, $12)`,
    [
      change.accountId,
      newId(ctx),
      actor.kind,
      actor.kind === 'api_key' ? actor.apiKeyId : null,
      actor.kind === 'portal_session' ? actor.portalSessionId : null,
      actor.kind === 'operator' ? actor.name : null,
      actor.kind === 'operator' ? actor.method : null,
      change.action,
      change.target,
      jsonOrNull(change.before),
      jsonOrNull(change.after),
      actor.requestId,
    ],
  )
}

function jsonOrNull(record: object | null): string | null {
  return record === null ? null : JSON.stringify(record)
}
