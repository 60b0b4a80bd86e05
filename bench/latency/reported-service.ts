import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import { newInstallation, startService } from '../../packages/server/test/support/service-process.ts'
import { balance } from '../support/balance.ts'
import { finished } from '../support/finished.ts'
import type { ClosedPace, LoadReport, OpenPace } from '../support/load-plan.ts'
import type { LoadProcess } from '../support/load-process.ts'
import { newAccounts } from '../support/new-accounts.ts'
import { type DatabaseKind, newPlace } from '../support/place.ts'
import { startReceiverProcess } from '../support/receiver-process.ts'

export interface Phase extends LoadReport {
  /** Outcomes accepted and delivered per second, from the first request to the last arrival. */
  rate: number
  /** From the scheduled report of an outcome to its arrival at the receiver. */
  arrivalMs: Float64Array
}

/** A service that gets one outcome per request from several accounts, each with one endpoint. */
export interface ReportedService extends AsyncDisposable {
  /** Reports outcomes for a while and resolves when all accepted ones have arrived. */
  report(pace: OpenPace | ClosedPace): Promise<Phase>
  /** Stops the service and returns where its ledger does not balance. */
  end(): Promise<string[]>
}

const accounts = 10
const connections = 64

export async function startReportedService(
  kind: DatabaseKind,
  postgres: PostgresServer,
  load: LoadProcess,
): Promise<ReportedService> {
  await using opened = new AsyncDisposableStack()
  const receiver = opened.use(await startReceiverProcess())
  const place = opened.use(await newPlace(kind, postgres))
  const service = opened.use(await startService(newInstallation(place)))
  const customers = await newAccounts(service.url, service.operator, {
    accounts,
    endpointsEach: 1,
    url: n => `http://127.0.0.1:${receiver.port}/ok/${n}`,
  })
  const all = opened.move()
  let accepted = 0
  return {
    report: async pace => {
      const before = (await receiver.ledger()).deliveries
      const report = await load.run({
        url: service.url,
        credentials: customers.map(customer => customer.apiKey),
        firstOutcome: accepted,
        connections,
        pace,
      })
      accepted += report.accepted
      await finished(service.url, accepted)
      const { arrivedAtMs, latencyMs } = (await receiver.latencies())['ok'] ?? none
      const firstMs = report.answered.dueAtMs[0] ?? 0
      const lastMs = arrivedAtMs.at(-1) ?? firstMs
      const rate = (report.accepted / (lastMs - firstMs)) * 1_000
      return { ...report, rate, arrivalMs: latencyMs.subarray(before) }
    },
    end: async () => {
      await service.stop()
      return await balance(place, { accepted, deliveries: accepted, arrived: await receiver.ledger() })
    },
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  }
}

const none = { arrivedAtMs: new Float64Array(), latencyMs: new Float64Array() }
