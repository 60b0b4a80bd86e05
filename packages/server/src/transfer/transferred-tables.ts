const ofLiveAccount = 'account_id in (select id from account where deleted_at is null)'

/**
 * What an installation is set up with, and which rows of it, in the order in which they are put back. Events,
 * deliveries and attempts are history and stay behind, as do the audit log and statistics.
 */
export const transferredTables = [
  { table: 'account', where: 'deleted_at is null' },
  { table: 'api_key', where: ofLiveAccount },
  {
    table: 'endpoint',
    where: `deleted_at is null and ${ofLiveAccount}`,
    // an address of one machine, permitted there: elsewhere another program may listen at it
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
  // links in old emails still name the persons, and one that is running has a suppression to clear
  { table: 'erasure', where: ofLiveAccount },
] as const

export type TransferredTable = (typeof transferredTables)[number]['table']

/** The first line of an export: rows fit only a schema of the same version. */
export interface ExportHead {
  readonly posthorn_export: 1
  readonly schema_version: number
}

/** Every other line: a row as it lies in the database, secrets sealed, keys hashed. */
export interface ExportedRow {
  readonly table: TransferredTable
  readonly row: object
}
