import type { Operator, OperatorRole } from '@posthorn/contract'
import { typeId } from '../domain/type-id.ts'

export interface OperatorRow {
  id: string
  name: string
  role: OperatorRole
  created_at: Date
  expires_at: Date | null
  last_used_at: Date | null
}

export const operatorColumns = 'o.id, o.name, o.role, o.created_at, o.expires_at, o.last_used_at'

/** A named token as the API shows it, without the token itself. */
export function toOperator(row: OperatorRow): Operator {
  return {
    id: typeId('opr', row.id),
    name: row.name,
    role: row.role,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }
}
