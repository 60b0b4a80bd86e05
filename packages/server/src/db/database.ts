/**
 * The one door to the database. PostgreSQL and the embedded PGlite stand behind it and speak the same wire
 * protocol through the same driver, so that nothing outside this folder can tell them apart.
 */
export interface Database extends Queryable, AsyncDisposable {
  readonly kind: 'embedded' | 'server'
  /** Calls `onNotify` for each NOTIFY on `channel` until disposed; reconnects by itself. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<AsyncDisposable>
  /** Keeps one of the connections for a while, where there are several. */
  keptConnection(): KeptConnection
  /** Why it takes no writes although it may answer, in words for the operator; null as far as is known from here. */
  trouble(): string | null
  /** All of it at one moment, as a tar archive; null for a server, which brings tools for that. */
  readonly dump: (() => Promise<Uint8Array<ArrayBuffer>>) | null
}

/** A connection for statements that follow one another. */
export interface KeptConnection extends Queryable {
  /**
   * Runs `work`, during which a statement leaves in the very turn of the event loop in which it is asked for: from the pool a
   * connection comes only when all else that is due in that turn is done. Once at a time.
   */
  during(work: () => Promise<void>): Promise<void>
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
