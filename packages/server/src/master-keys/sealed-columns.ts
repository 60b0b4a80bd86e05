import type { SealIds, SealPurpose } from '../seal/seal.ts'

/** A column whose values are encrypted with a master key. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  /** The columns of the primary key in order; all are UUIDs. */
  readonly key: readonly string[]
  readonly purpose: SealPurpose
  /** The ids that the value is bound to, from the primary key. */
  readonly idsOf: (key: readonly string[]) => SealIds
}

/** All columns whose values are encrypted with a master key. */
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
    column: 'client_key_sealed',
    key: ['account_id', 'id'],
    purpose: 'client_key',
    idsOf: ([accountId = '', endpointId = '']) => ({ accountId, endpointId }),
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
  {
    table: 'provider_source',
    column: 'key_sealed',
    key: ['account_id', 'id'],
    purpose: 'source_key',
    idsOf: ([accountId = '', keyId = '']) => ({ accountId, keyId }),
  },
]
