import { sessionMark } from './session-settings.ts'

/** A column for a query on a new connection: whether the settings that the connection asked for arrived. */
export const hasSettingsColumn = `coalesce(current_setting('${sessionMark}', true), '') = 'on' as "hasSettings"`

/** A pooler, such as PgBouncer, is between Posthorn and the server, and drops the settings of our connections. */
export class PoolerError extends Error {
  override readonly name = 'PoolerError'

  constructor(options?: ErrorOptions) {
    super(
      'DATABASE_URL leads to a connection pooler that does not pass on the settings of a session, as PgBouncer does in ' +
        'every mode. Name the PostgreSQL server itself, or HAProxy in front of it. Posthorn keeps connections open ' +
        'and needs no pooler',
      options,
    )
  }
}

/** @throws PoolerError if a pooler dropped the settings and opened the connection */
export function refuseLostSettings(row: { hasSettings: boolean } | undefined): void {
  if (row?.hasSettings === false) throw new PoolerError()
}

/** Explains the error of a pooler that refuses settings when a connection starts. Other errors stay as they are. */
export function explainPooler(error: unknown): unknown {
  return error instanceof Error && error.message.startsWith('unsupported startup parameter')
    ? new PoolerError({ cause: error })
    : error
}
