import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import { cpuTimeMs } from '../support/cpu-time.ts'
import type { ClosedPace, LoadReport, OpenPace } from '../support/load-plan.ts'
import type { LoadProcess } from '../support/load-process.ts'
import type { Contender } from './contenders.ts'

/** The result of one contender in one round. */
export interface Round extends LoadReport {
  /** Accepted outcomes per second. */
  rate: number
  /** Per accepted outcome, in microseconds. */
  serverCpuUs: number
  databaseCpuUs: number
}

/** Measures contenders in turn with the same load generator and counts what each has accepted. */
export class Rounds {
  readonly #load: LoadProcess
  readonly #postgres: PostgresServer
  readonly #accepted = new Map<Contender, number>()

  constructor(load: LoadProcess, postgres: PostgresServer) {
    this.#load = load
    this.#postgres = postgres
  }

  /** One round measures each contender once. */
  async round(
    contenders: readonly Contender[],
    plan: { connections: number; pace: OpenPace | ClosedPace },
  ): Promise<Round[]> {
    const rounds: Round[] = []
    for (const contender of contenders) rounds.push(await this.#ask(contender, plan))
    return rounds
  }

  /** Stops all contenders and returns where their ledgers do not balance. */
  async end(): Promise<string[]> {
    const faults: string[] = []
    for (const [contender, accepted] of this.#accepted) faults.push(...(await contender.end(accepted)))
    return faults
  }

  async #ask(
    contender: Contender,
    plan: { connections: number; pace: OpenPace | ClosedPace },
  ): Promise<Round> {
    const before = this.#accepted.get(contender) ?? 0
    const serverCpu = cpuTimeMs(contender.pid)
    const databaseCpu = cpuTimeMs(this.#postgres.pid())
    const report = await this.#load.run({
      ...plan,
      url: contender.url,
      credentials: [contender.credential],
      firstOutcome: before,
    })
    this.#accepted.set(contender, before + report.accepted)
    await contender.quiet(before + report.accepted)
    return {
      ...report,
      rate: (report.accepted / report.elapsedMs) * 1_000,
      serverCpuUs: ((cpuTimeMs(contender.pid) - serverCpu) * 1_000) / report.accepted,
      databaseCpuUs: ((cpuTimeMs(this.#postgres.pid()) - databaseCpu) * 1_000) / report.accepted,
    }
  }
}
