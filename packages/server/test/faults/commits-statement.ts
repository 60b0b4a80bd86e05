import { runsStatement } from './runs-statement.ts'

/** Matches the commit of the next transaction that runs this statement: others commit at the same time. */
export function commitsStatement(
  name: 'accept' | 'settle',
): (request: Buffer, connection: object) => boolean {
  const runs = runsStatement(name)
  const ran = new WeakSet<object>()
  return (request, connection) => {
    if (runs(request)) ran.add(connection)
    return ran.has(connection) && /^Q.{4}commit\0/s.test(request.toString('latin1'))
  }
}
