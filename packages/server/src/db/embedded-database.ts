import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { connectionLifetimeSeconds } from './connection-lifetime.ts'
import type { Database } from './database.ts'
import { holdsDatabase, makeDatabase, restrictToOwner } from './database-directory.ts'
import { lockDataDirectory } from './data-directory-lock.ts'
import { dumpEmbedded, removeCopies } from './dump-embedded.ts'
import { EmbeddedThread, type ThreadEvents } from './embedded-thread.ts'
import { pooledDatabase } from './pooled-database.ts'
import { WireStream } from './wire-stream.ts'

/**
 * Opens PGlite in its own thread, so that its statements do not block the event loop. PGlite has one session, so the pool
 * has one connection and transactions take turns.
 * @throws DataDirectoryInUseError if another process uses the directory, NotADatabaseError if the path of the database
 * contains something else
 */
export async function openEmbeddedDatabase(dataDir: string, events: ThreadEvents): Promise<Database> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const lock = lockDataDirectory(dataDir)
  try {
    const directory = join(dataDir, 'database')
    if (!holdsDatabase(directory)) await makeDatabase(directory, makeEmpty)
    restrictToOwner(directory)
    removeCopies(dataDir)
    const thread = await EmbeddedThread.start(directory, events)
    const pool = new pg.Pool({
      user: 'postgres',
      database: 'postgres',
      max: 1,
      idleTimeoutMillis: 0,
      maxLifetimeSeconds: connectionLifetimeSeconds,
      stream: () => new WireStream(thread),
    })
    const database = pooledDatabase(
      'embedded',
      { pool, borrow: async () => await pool.connect() },
      {
        answerWithinMs: null,
        onRefused: code => {
          // insufficient resources; system errors
          if (/^5[38]/.test(code)) thread.refused(code === '53100')
        },
        close: async () => {
          await pool.end()
          await thread.stop()
          lock[Symbol.dispose]()
        },
      },
    )
    return {
      ...database,
      trouble: () => thread.trouble(),
      dump: async () => await dumpEmbedded(thread, dataDir),
    }
  } catch (error) {
    lock[Symbol.dispose]()
    throw error
  }
}

async function makeEmpty(directory: string): Promise<void> {
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => {})
  const thread = await EmbeddedThread.start(directory, { onLost: lost.reject })
  await Promise.race([thread.stop(), lost.promise])
}
