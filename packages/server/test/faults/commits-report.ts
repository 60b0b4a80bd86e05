import type { Matches } from './database-proxy.ts'
import { runsStatement } from './runs-statement.ts'

/** Matches the commit of the next transaction that stores a report, and not other commits. */
export function commitsReport(): Matches {
  const stores = runsStatement('accept')
  const storing = new WeakSet<object>()
  return (request, connection) => {
    if (stores(request)) storing.add(connection)
    return storing.has(connection) && /^Q.{4}commit\0/s.test(request.toString('latin1'))
  }
}
