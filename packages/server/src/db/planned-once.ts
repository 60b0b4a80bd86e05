import { createHash } from 'node:crypto'
import type { Lookups, PreparedStatement } from './database.ts'

/**
 * Parses and plans every statement of `db` once on each connection, because planning a query of partitioned tables takes
 * much longer than running it. So one plan must be good for all values, also if a bound is missing
 * (`packages/server/src/db/id-bounds.ts`).
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
