/** How the rows of a table get to another shard when their account moves there. */
export type Transfer =
  /** PostgreSQL streams them while the account is in use. */
  | 'streamed'
  /** They decide what a shard does for the account, so they arrive in the transaction that makes the shard its owner. */
  | 'handed_over'
  /** They follow when the account is in use on the other shard. */
  | 'afterwards'

export interface AccountTable {
  readonly table: string
  /**
   * What follows `account_id` in the primary key, as far as few rows have the same value; `account_id` if nothing follows.
   */
  readonly key: string
  readonly transfer: Transfer
  /** Columns that mean something only in one database. */
  readonly local?: readonly string[]
}

/** Every table with rows of accounts, except `account` itself, in an order in which rows go before those they refer to. */
export const accountTables: readonly AccountTable[] = [
  { table: 'queue', key: 'delivery_id', transfer: 'streamed', local: ['process'] },
  { table: 'attempt', key: 'delivery_id', transfer: 'streamed', local: ['process'] },
  { table: 'delivery', key: 'id', transfer: 'streamed' },
  { table: 'handover', key: 'email_id', transfer: 'streamed', local: ['taken_by'] },
  { table: 'email_content', key: 'email_id', transfer: 'streamed' },
  { table: 'email_recipient', key: 'email_id', transfer: 'streamed' },
  { table: 'email', key: 'id', transfer: 'streamed' },
  { table: 'suppression', key: 'id', transfer: 'streamed' },
  { table: 'sending_domain', key: 'id', transfer: 'handed_over' },
  { table: 'mail_key', key: 'id', transfer: 'handed_over' },
  { table: 'provider_source', key: 'id', transfer: 'handed_over' },
  { table: 'event', key: 'id', transfer: 'streamed', local: ['process'] },
  // each shard merges old rows, so a stream would count them twice
  { table: 'attempt_stat', key: 'at', transfer: 'afterwards', local: ['id', 'process'] },
  { table: 'outcome_stat', key: 'at', transfer: 'afterwards', local: ['id', 'process'] },
  { table: 'replay_delivery', key: 'replay_id, delivery_id', transfer: 'streamed' },
  { table: 'replay', key: 'id', transfer: 'handed_over' },
  { table: 'erasure', key: 'id', transfer: 'handed_over' },
  { table: 'endpoint_check', key: 'account_id', transfer: 'handed_over' },
  { table: 'sent_count', key: 'account_id', transfer: 'handed_over' },
  { table: 'outcome_key', key: 'digest', transfer: 'streamed' },
  { table: 'recipient_state', key: 'digest', transfer: 'streamed' },
  { table: 'idempotency_key', key: 'key', transfer: 'streamed' },
  { table: 'signing_key', key: 'endpoint_id', transfer: 'handed_over' },
  { table: 'endpoint', key: 'id', transfer: 'handed_over' },
  { table: 'session', key: 'id', transfer: 'handed_over' },
  { table: 'portal_session', key: 'id', transfer: 'handed_over' },
  { table: 'api_key', key: 'id', transfer: 'handed_over' },
  { table: 'audit_entry', key: 'id', transfer: 'streamed' },
]

/** Tables with an `account_id` that do not move: they say where accounts are. */
export const tablesAboutAccounts = ['account_move', 'placement'] as const
