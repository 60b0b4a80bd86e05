import type { DomainRecord, SendingDomain } from '@posthorn/contract'
import { domainRecords, type ReturnPath } from '../domain/domain-records.ts'
import type { RecordFinding } from '../domain/dns-answer.ts'
import { typeId } from '../domain/type-id.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'

/** The result of the last check, by the purpose of the record. */
export type DomainChecks = Partial<Record<DomainRecord['purpose'], RecordFinding>>

export interface SendingDomainRow {
  id: string
  name: string
  selector: string
  public_key: string
  checks: DomainChecks | null
  checked_at: Date | null
  verified_at: Date | null
}

/** Columns of `sending_domain`, without the private key. */
export const sendingDomainColumns = 'id, name, selector, public_key, checks, checked_at, verified_at'

/** A sending domain as the API shows it. */
export function toSendingDomain(row: SendingDomainRow, returnPath: ReturnPath | null): SendingDomain {
  const { name, selector, public_key: publicKey, checks } = row
  return {
    id: typeId('dom', row.id),
    name,
    dkim_selector: selector,
    records: domainRecords({ name, selector, publicKey }, returnPath).map(record => {
      const finding = checks?.[record.purpose]
      return {
        ...record,
        state: finding?.state ?? 'unchecked',
        found: [...(finding?.found ?? [])],
        message: finding?.message ?? null,
      }
    }),
    verified_at: row.verified_at?.toISOString() ?? null,
    checked_at: row.checked_at?.toISOString() ?? null,
    created_at: new Date(uuidV7Ms(row.id)).toISOString(),
  }
}
