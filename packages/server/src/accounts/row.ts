import type { Account } from '@posthorn/contract'
import { typeId } from '../domain/type-id.ts'

export interface AccountRow {
  id: string
  name: string
  max_endpoints: number
  created_at: Date
}

export const accountColumns = 'id, name, max_endpoints, created_at'

/** An account as the operator sees it. */
export function toAccount(row: AccountRow): Account {
  return {
    id: typeId('acct', row.id),
    name: row.name,
    max_endpoints: row.max_endpoints,
    created_at: row.created_at.toISOString(),
  }
}
