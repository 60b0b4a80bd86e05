import type { Database } from './database.ts'
import { openEmbeddedDatabase } from './embedded-database.ts'
import type { Primary } from './primary.ts'
import { openServerDatabase } from './server-database.ts'

export interface DatabaseOptions {
  /** A PostgreSQL URL, or null for the embedded database in `dataDir`. */
  url: string | null
  dataDir: string
  /** The most connections to a PostgreSQL server. The embedded database always has one. */
  connectionsMax: number
  /** Settings of each connection to a PostgreSQL server, such as `jit=off`; `ordinarySettings` by default. */
  settings?: readonly string[]
  /** For a URL with several hosts: the search for the primary, which the databases of a process share (`openPrimary`). */
  primary?: Primary | null
  /** Called when the embedded thread has died and cannot be restarted. The process should end. */
  onLost: (error: Error) => void
  /** Called with a line for the log when the embedded database hangs or works again. */
  onTrouble?: ((message: string) => void) | undefined
}

/** Opens PostgreSQL if a URL is given, else PGlite in the data directory, which no other process may then use. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.url === null
    ? await openEmbeddedDatabase(options.dataDir, options)
    : await openServerDatabase(options.url, options)
}
