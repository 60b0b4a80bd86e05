const ofLiveAccount = 'account_id in (select id from account where deleted_at is null)'

/**
 * The tables and rows that an export contains, in the order of the import. It does not contain events, deliveries,
 * attempts, the audit log and statistics.
 */
export const transferredTables = [
  { table: 'account', where: 'deleted_at is null' },
  { table: 'api_key', where: ofLiveAccount },
  {
    table: 'endpoint',
    where: `deleted_at is null and ${ofLiveAccount}`,
    // a permission for one machine; on another machine, a different program may use the port
    staysBehind: ['loopback_origin'],
  },
  {
    table: 'signing_key',
    where: `(account_id, endpoint_id) in (select account_id, id from endpoint where deleted_at is null)
       and ${ofLiveAccount}`,
  },
  { table: 'mail_key', where: ofLiveAccount },
  { table: 'suppression', where: ofLiveAccount },
  { table: 'sending_domain', where: ofLiveAccount },
  { table: 'provider_source', where: ofLiveAccount },
  // links in old emails still name the persons, and one that is running has a suppression to clear
  { table: 'erasure', where: ofLiveAccount },
] as const

export type TransferredTable = (typeof transferredTables)[number]['table']

/** The first line of an export, because rows fit only the same schema version. */
export interface ExportHead {
  readonly posthorn_export: 1
  readonly schema_version: number
}

/** Every other line: a row as in the database, with encrypted secrets and hashed keys. */
export interface ExportedRow {
  readonly table: TransferredTable
  readonly row: object
}
