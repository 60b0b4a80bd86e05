import type { Readable } from 'node:stream'

/**
 * The database: a PostgreSQL server or the embedded PGlite. Both use the same driver and wire protocol, so code outside
 * this folder does not depend on which one it is.
 */
export interface Database extends Queryable, AsyncDisposable {
  readonly kind: 'embedded' | 'server'
  /** Calls `onNotify` for each NOTIFY on `channel` until disposed; reconnects by itself. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<AsyncDisposable>
  /** Why it accepts no writes, in words for the operator; null if no reason is known. */
  trouble(): string | null
  /**
   * Gives a consistent copy as a tar archive; null for a server, which has its own backup tools. The caller must read the
   * stream or destroy it.
   * @throws NoSpaceForCopyError
   */
  readonly dump: (() => Promise<Readable>) | null
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
   * Runs `work` in one transaction: commits when it returns and rolls back when it throws. Inside a transaction it joins
   * that transaction.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>
}

/** Runs queries only, without transactions of its own. */
export type Lookups = Pick<Queryable, 'query'>

/** A statement that each connection parses and plans once, under this name. */
export interface PreparedStatement {
  readonly name: string
  readonly text: string
}

/** The database did not answer. The statement may or may not have been stored, and a later attempt may succeed. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError'
}

/** No connection was free, or none could be opened, so nothing was sent. */
export class NoConnectionError extends DatabaseUnavailableError {}

/** The database answers but accepts no writes: it is a standby, or it was set to read-only. */
export class DatabaseReadOnlyError extends DatabaseUnavailableError {}

/** The disk of the embedded database has too little free space for a copy of its files. */
export class NoSpaceForCopyError extends Error {
  override readonly name = 'NoSpaceForCopyError'
  readonly missingBytes: number

  constructor(missingBytes: number) {
    super(`${missingBytes} bytes of disk space are missing`)
    this.missingBytes = missingBytes
  }
}
