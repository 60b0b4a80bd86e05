import type { AuditAction, AuditEntry, AuditQuery, OperatorMethod, Page } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { operatorId } from '../domain/operator-id.ts'
import { idRange } from '../domain/time-range.ts'
import { parseTypeId, typeId } from '../domain/type-id.ts'
import { AppError } from '../errors.ts'
import { idCursor, toPage } from '../page.ts'

/**
 * The changes of one account, newest first. Without an account, the operator gets the changes of the installation.
 * @param accountId of the API key, or null for the operator
 * @throws AppError `account_mismatch` if the caller names an account that the key does not belong to
 */
export async function listAuditLog(
  ctx: Ctx,
  accountId: string | null,
  input: AuditQuery,
): Promise<Page<AuditEntry>> {
  const { from, to } = idRange(input)
  const rows = await ctx.db.query<AuditRow>(
    // ids contain their time, so each of the three indexes by account, read backwards, has this order
    `select id, at, actor, api_key_id, portal_session_id, operator_name, operator_method, action, target, before, after, request_id from audit_entry
     where account_id = $1
       and ($2::uuid is null or id < $2)
       and ($3::text[] is null or action = any($3))
       and ($4::text is null or target = $4)
       and ($5::uuid is null or id >= $5)
       and ($6::uuid is null or id < $6)
     order by id desc limit $7`,
    [
      chosenAccount(accountId, input.account_id),
      idCursor(input.cursor),
      input.action ?? null,
      input.target ?? null,
      from,
      to,
      input.limit + 1,
    ],
  )
  const entries = toPage(rows, input.limit, row => row.id, toAuditEntry)
  // customers need not know the people who run the service
  return accountId === null ? entries : { ...entries, data: entries.data.map(withoutPerson) }
}

function chosenAccount(own: string | null, named: string | undefined): string {
  const uuid = named === undefined ? null : parseTypeId('acct', named)
  if (own !== null && uuid !== null && own !== uuid) {
    throw new AppError('account_mismatch', 'This API key does not belong to the account in account_id.')
  }
  return own ?? uuid ?? operatorId
}

interface AuditRow {
  id: string
  at: Date
  actor: AuditEntry['actor']['kind']
  api_key_id: string | null
  portal_session_id: string | null
  operator_name: string | null
  operator_method: OperatorMethod | null
  action: AuditAction
  target: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  request_id: string | null
}

function toAuditEntry(row: AuditRow): AuditEntry {
  return {
    id: typeId('aud', row.id),
    at: row.at.toISOString(),
    actor: {
      kind: row.actor,
      api_key_id: row.api_key_id === null ? null : typeId('key', row.api_key_id),
      portal_session_id: row.portal_session_id === null ? null : typeId('pses', row.portal_session_id),
      operator: operatorOf(row),
    },
    action: row.action,
    target: row.target,
    before: row.before,
    after: row.after,
    request_id: row.request_id,
  }
}

function withoutPerson(entry: AuditEntry): AuditEntry {
  return { ...entry, actor: { ...entry.actor, operator: null } }
}

function operatorOf({
  operator_name: name,
  operator_method: method,
}: AuditRow): AuditEntry['actor']['operator'] {
  return name === null || method === null ? null : { name, method }
}
