/**
 * The one door to the database. PostgreSQL and the embedded PGlite stand behind it and speak the same wire
 * protocol through the same driver, so that nothing outside this folder can tell them apart.
 */
export interface Database extends Queryable, AsyncDisposable {
  readonly kind: 'embedded' | 'server'
  /** Calls `onNotify` for each NOTIFY on `channel` until disposed; reconnects by itself. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<AsyncDisposable>
  /** Why it takes no writes although it may answer, in words for the operator; null as far as is known from here. */
  trouble(): string | null
  /** All of it at one moment, as a tar archive; null for a server, which brings tools for that. */
  readonly dump: (() => Promise<Uint8Array<ArrayBuffer>>) | null
}

export interface Queryable {
  /**
   * Runs one statement and returns its rows. `bigint` comes back as number, `timestamptz` as Date, `bytea` as
   * Uint8Array. Buffers are sent in binary.
   * @throws DatabaseUnavailableError when the server cannot be reached; the driver's error otherwise
   */
  query<Row extends object>(
    statement: string | PreparedStatement,
    values?: readonly unknown[],
  ): Promise<Row[]>
  /**
   * Runs `work` in one transaction: committed when it returns, rolled back when it throws. Inside a transaction
   * it joins the one under way.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>
}

/** Looks things up, in no transaction that it begins. */
export type Lookups = Pick<Queryable, 'query'>

/** A statement that each connection parses and plans once, under this name; for the hot path. */
export interface PreparedStatement {
  readonly name: string
  readonly text: string
}

/** The database did not answer: nothing is known to have been stored, and a later try may succeed. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError'
}

/** The database answers and takes no writes: it is a standby, or somebody has set it to read-only. */
export class DatabaseReadOnlyError extends DatabaseUnavailableError {}
