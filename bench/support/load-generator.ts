import { ClientConnection } from './client-connection.ts'
import { LoadLedger } from './load-ledger.ts'
import type { LoadPlan, LoadReport } from './load-plan.ts'
import { type NextRequest, nextRequest } from './load-request.ts'
import { Moments, sendMoments } from './send-moments.ts'

/** The process behind `startLoadProcess`. It runs plans one after the other and sends a report for each. */
const moments = new Moments()
process.on('message', (plan: LoadPlan) => void run(plan).then(report => process.send?.(report)))
process.on('disconnect', () => process.exit())
process.send?.('ready')

async function run(plan: LoadPlan): Promise<LoadReport> {
  const connections = Array.from({ length: plan.connections }, () => new ClientConnection(plan.url))
  await Promise.all(connections.map(async connection => await connection.open()))
  const ledger = new LoadLedger(plan.outcomesPerRequest ?? 1)
  const request = nextRequest(plan)
  if (plan.pace.loop === 'open') await runOpen(sendMoments(plan.pace), request, connections, ledger)
  else await runClosed(plan.pace.seconds, request, connections, ledger)
  for (const connection of connections) connection.close()
  return ledger.report()
}

async function runOpen(
  dueAt: Float64Array,
  request: NextRequest,
  idle: ClientConnection[],
  ledger: LoadLedger,
): Promise<void> {
  const done = Promise.withResolvers<void>()
  let due = 0
  let sent = 0
  let ended = 0
  // a free connection sends the oldest due request
  const sendDue = (): void => {
    while (sent < due) {
      const connection = idle.pop()
      if (connection === undefined) return
      const dueAtMs = dueAt[sent++] ?? 0
      ledger.sent(dueAtMs)
      connection.send(request(dueAtMs), answer => {
        ledger.ended(dueAtMs, answer)
        idle.push(connection)
        if (++ended === dueAt.length) done.resolve()
        else sendDue()
      })
    }
  }
  moments.on(dueAt, count => {
    due = count
    sendDue()
  })
  await done.promise
}

async function runClosed(
  seconds: number,
  request: NextRequest,
  connections: readonly ClientConnection[],
  ledger: LoadLedger,
): Promise<void> {
  const untilMs = performance.now() + seconds * 1_000
  const again = (connection: ClientConnection, done: () => void): void => {
    if (performance.now() >= untilMs) return done()
    const sentAtMs = performance.timeOrigin + performance.now()
    ledger.sent(sentAtMs)
    connection.send(request(sentAtMs), answer => {
      ledger.ended(sentAtMs, answer)
      again(connection, done)
    })
  }
  await Promise.all(
    connections.map(async connection => await new Promise<void>(resolve => again(connection, resolve))),
  )
}
