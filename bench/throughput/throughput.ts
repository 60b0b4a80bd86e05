import { findPostgres, startPostgres } from '../../packages/server/test/support/postgres-server.ts'
import { newDatabasePlace } from '../../packages/server/test/support/test-database.ts'
import { median } from '../support/median.ts'
import { bareClientRate } from './bare-client.ts'
import { outcome, productRate } from './product.ts'

interface Case {
  database: 'embedded' | 'PostgreSQL'
  endpoints: number
  fanOut: number
}

export interface ThroughputRow extends Case {
  bare: number
  product: number
  ratio: number
  unbalanced: string[]
}

const allCases: Case[] = [
  { database: 'PostgreSQL', endpoints: 1, fanOut: 1 },
  { database: 'PostgreSQL', endpoints: 100, fanOut: 1 },
  { database: 'PostgreSQL', endpoints: 5, fanOut: 5 },
  { database: 'embedded', endpoints: 1, fanOut: 1 },
]

/**
 * Measures each case against the bare client, alternating, and answers medians of the ratios within one round: the
 * machine's own speed falls out of them.
 */
export async function throughput(options: { outcomes: number; rounds: number }): Promise<ThroughputRow[]> {
  const [installation] = findPostgres()
  if (installation === undefined) throw new Error('no PostgreSQL on this machine: npm ci brings one')
  await using postgres = await startPostgres(installation)
  const bodies = Array.from({ length: options.outcomes }, (_, n) => Buffer.from(JSON.stringify(outcome(n))))
  const rows: ThroughputRow[] = []
  for (const one of allCases) {
    const rounds: Array<{ bare: number; product: number; unbalanced: string[] }> = []
    for (let round = 0; round < options.rounds; round++) {
      const connections = Math.min(20 * one.endpoints, 100)
      const bare = await bareClientRate(bodies, one.endpoints, connections)
      const serverUrl = one.database === 'embedded' ? null : postgres.url('postgres')
      await using place = await newDatabasePlace({ name: one.database, serverUrl })
      const { rate, unbalanced } = await productRate(place, options.outcomes, one.endpoints, one.fanOut)
      rounds.push({ bare, product: rate, unbalanced })
    }
    rows.push({
      ...one,
      bare: median(rounds.map(round => round.bare)),
      product: median(rounds.map(round => round.product)),
      ratio: median(rounds.map(round => round.product / round.bare)),
      unbalanced: rounds.flatMap(round => round.unbalanced),
    })
  }
  return rows
}
