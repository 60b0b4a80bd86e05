import type { Database } from './database.ts'
import { openEmbeddedDatabase } from './embedded-database.ts'
import type { Primary } from './primary.ts'
import { openServerDatabase } from './server-database.ts'

export interface DatabaseOptions {
  /** A PostgreSQL URL, or null for the embedded database in `dataDir`. */
  url: string | null
  dataDir: string
  /** Most connections to a PostgreSQL server; the embedded database always has one. */
  connectionsMax: number
  /** Of each connection to a PostgreSQL server, as in `jit=off`; `ordinarySettings` when not given. */
  settings?: readonly string[]
  /** Of a URL with several hosts, where databases of one process share what they know of them (`openPrimary`). */
  primary?: Primary | null
  /** Called when the database is gone for good (the embedded thread died); the process should end. */
  onLost: (error: Error) => void
  /** Of the embedded database: it was ended because it hung, or works again. */
  onTrouble?: ((message: string) => void) | undefined
}

/** Opens PostgreSQL when a URL is given, else PGlite in the data directory, which it then owns alone. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.url === null
    ? await openEmbeddedDatabase(options.dataDir, options)
    : await openServerDatabase(options.url, options)
}
