import type { SealIds, SealPurpose } from '../seal/seal.ts'

/** A column of values that are sealed under a master key. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  /** Columns of the primary key, UUIDs, in its order. */
  readonly key: readonly string[]
  readonly purpose: SealPurpose
  /** Where the row with this primary key belongs. */
  readonly idsOf: (key: readonly string[]) => SealIds
}

/** Every column whose values depend on a master key. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    table: 'signing_key',
    column: 'secret_sealed',
    key: ['account_id', 'endpoint_id', 'id'],
    purpose: 'signing_secret',
    idsOf: ([accountId = '', endpointId = '', keyId = '']) => ({ accountId, endpointId, keyId }),
  },
  {
    table: 'endpoint',
    column: 'headers_sealed',
    key: ['account_id', 'id'],
    purpose: 'request_headers',
    idsOf: ([accountId = '', endpointId = '']) => ({ accountId, endpointId }),
  },
  {
    table: 'mail_key',
    column: 'secret_sealed',
    key: ['account_id', 'id'],
    purpose: 'mail_key',
    idsOf: ([accountId = '', keyId = '']) => ({ accountId, keyId }),
  },
  {
    table: 'sending_domain',
    column: 'private_key_sealed',
    key: ['account_id', 'id'],
    purpose: 'dkim_key',
    idsOf: ([accountId = '', domainId = '']) => ({ accountId, domainId }),
  },
]
