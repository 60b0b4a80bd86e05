import { createHash } from 'node:crypto'
import type { Lookups, PreparedStatement } from './database.ts'

/**
 * Every statement of `db` is parsed and planned once on each connection. Planning a look at tables with a partition for each
 * day takes many times as long as the look itself. One plan must do for all values then, also for bounds that may be missing
 * (`packages/server/src/domain/id-bounds.ts`).
 */
export function plannedOnce(db: Lookups): Lookups {
  return {
    query: async (statement, values) =>
      await db.query(typeof statement === 'string' ? prepared(statement) : statement, values),
  }
}

function prepared(text: string): PreparedStatement {
  return { name: createHash('sha256').update(text).digest('base64url'), text }
}
