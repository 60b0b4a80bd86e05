import type { DomainRecord, SendingDomain } from '@posthorn/contract'
import type { Outside } from '../context.ts'
import { type DomainFacts, domainRecords, type OperatorHosts } from '../domain/domain-records.ts'
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
  return_path_domain: string | null
  return_path_verified_at: Date | null
  link_host: string | null
  link_host_verified_at: Date | null
}

/** Columns of `sending_domain`, without the private key. */
export const sendingDomainColumns = `id, name, selector, public_key, checks, checked_at, verified_at,
  return_path_domain, return_path_verified_at, link_host, link_host_verified_at`

/** What the records of a domain contain. */
export function factsOf(row: SendingDomainRow): DomainFacts {
  const { name, selector, public_key: publicKey, return_path_domain: returnPathDomain } = row
  return { name, selector, publicKey, returnPathDomain, linkHost: row.link_host }
}

/** The hosts that the records of all domains name. */
export function operatorHosts(outside: Pick<Outside, 'returnPath' | 'publicUrl'>): OperatorHosts {
  return { returnPath: outside.returnPath(), publicHost: new URL(outside.publicUrl()).hostname }
}

/** A sending domain as the API shows it. */
export function toSendingDomain(row: SendingDomainRow, operator: OperatorHosts): SendingDomain {
  return {
    id: typeId('dom', row.id),
    name: row.name,
    dkim_selector: row.selector,
    return_path_domain: row.return_path_domain,
    link_host: row.link_host,
    records: domainRecords(factsOf(row), operator).map(record => {
      const finding = row.checks?.[record.purpose]
      return {
        ...record,
        state: finding?.state ?? 'unchecked',
        found: [...(finding?.found ?? [])],
        message: finding?.message ?? null,
      }
    }),
    verified_at: row.verified_at?.toISOString() ?? null,
    return_path_verified_at: row.return_path_verified_at?.toISOString() ?? null,
    link_host_verified_at: row.link_host_verified_at?.toISOString() ?? null,
    checked_at: row.checked_at?.toISOString() ?? null,
    created_at: new Date(uuidV7Ms(row.id)).toISOString(),
  }
}
