import { makeCertificate } from '../../packages/server/test/egress/certificate.ts'
import { atMost, type Bench, type BenchResult, type Scale } from '../support/bench.ts'
import { compiled, fromSources } from '../support/installed.ts'
import { type DatabaseKind, startBenchPostgres } from '../support/place.ts'
import { bareKiB } from './bare.ts'
import { flat } from './flat.ts'
import { idleMiB } from './idle.ts'
import { inFlightKiB } from './in-flight.ts'

const sizes: Record<Scale, Size> = {
  quick: { deliveries: 2_000, warmUps: 200, seconds: 1, plain: [100], tls: null, idle: ['PostgreSQL'] },
  full: {
    deliveries: 1_000_000,
    warmUps: 5_000,
    seconds: 20,
    plain: [1_000, 5_000],
    tls: 1_000,
    idle: ['PostgreSQL', 'embedded'],
  },
}

interface Size {
  deliveries: number
  warmUps: number
  seconds: number
  plain: number[]
  /** Null: not measured. */
  tls: number | null
  idle: DatabaseKind[]
}

const idleGoalsMiB: Record<DatabaseKind, number> = { PostgreSQL: 150, embedded: 450 }
const growthMax = 1.1

/** The memory of a service: idle, for each attempt in flight, and during a million deliveries. */
export const memory: Bench = {
  name: 'memory',
  run: async scale => {
    const size = sizes[scale]
    await using postgres = await startBenchPostgres(scale)
    const result: BenchResult = { rows: [], unbalanced: [] }

    using form = scale === 'full' ? compiled() : fromSources()
    for (const kind of size.idle) {
      const mib = await idleMiB(form, kind, size.seconds, postgres)
      result.rows.push({
        what: `${kind}, idle, ${form.name}`,
        measured: `${mib.toFixed(0)} MiB`,
        goal: atMost(idleGoalsMiB[kind], mib, ' MiB'),
      })
    }

    const certificate = makeCertificate({ name: 'Bench', hosts: ['localhost'], isAuthority: true })
    for (const [origins, secure] of [
      ...size.plain.map(n => [n, null] as const),
      ...(size.tls === null ? [] : [[size.tls, certificate] as const]),
    ]) {
      const bare = await bareKiB(origins, size.warmUps, size.seconds, secure)
      const { kib, unbalanced } = await inFlightKiB(origins, size.warmUps, size.seconds, secure, postgres)
      result.unbalanced.push(...unbalanced)
      result.rows.push({
        what: `each of ${origins} attempts in flight, ${secure === null ? 'HTTP' : 'TLS'}`,
        measured: `${kib.toFixed(0)} KiB`,
        beside: `bare undici ${bare.toFixed(0)} KiB`,
        goal: secure === null ? atMost(60, kib, ' KiB') : null,
      })
    }

    const { tenthsMiB, unbalanced } = await flat(size.deliveries, postgres)
    result.unbalanced.push(...unbalanced)
    const [, early = Number.NaN] = tenthsMiB
    const late = tenthsMiB.at(-1) ?? Number.NaN
    result.rows.push({
      what: `growth over ${size.deliveries} deliveries, PostgreSQL`,
      measured: `${(late / early).toFixed(2)} times, ${late.toFixed(0)} MiB in the last tenth`,
      beside: `${early.toFixed(0)} MiB in the second tenth`,
      goal: atMost(growthMax, late / early, ' times'),
    })
    const cells = tenthsMiB.map(mib => mib.toFixed(0)).join(' | ')
    result.details = `MiB while each tenth of ${size.deliveries} deliveries was made:\n\n| ${tenthsMiB.map((_, n) => n + 1).join(' | ')} |\n|${' --- |'.repeat(tenthsMiB.length)}\n| ${cells} |`
    return result
  },
}
