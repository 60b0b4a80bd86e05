/** One thing to measure: a name, and a function that does it once. */
export interface Contender {
  readonly name: string
  readonly once: () => unknown
}

/** What was measured of one contender. */
export interface Measured {
  /** Operations per second of processor time. */
  readonly rate: number
  /** That, divided by the rate of the first contender. */
  readonly ratio: number
}

/**
 * Medians over rounds in which all contenders take a short turn each. Processor time counts and not the clock on the
 * wall, which also counts what other programs do. Those programs still take caches and clock rate away, more in one
 * second than in the next; so a ratio is taken within each round, where it strikes both sides alike, and the median
 * of the ratios counts instead of the ratio of the medians.
 */
export async function measure(
  contenders: readonly Contender[],
  turnMs: number,
  rounds: number,
): Promise<Measured[]> {
  const measured = contenders.map((): { rates: number[]; ratios: number[] } => ({ rates: [], ratios: [] }))
  // The first rounds warm up and are not counted.
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    const rates = await ratesOfRound(contenders, turnMs, round)
    if (round < 0) continue
    for (const [i, rate] of rates.entries()) {
      measured[i]?.rates.push(rate)
      measured[i]?.ratios.push(rate / (rates[0] ?? Number.NaN))
    }
  }
  return measured.map(({ rates, ratios }) => ({ rate: median(rates), ratio: median(ratios) }))
}

const WARM_UP_ROUNDS = 3

/** Everybody's rate, in their order; odd rounds run backwards, so that nobody always comes after the same one. */
async function ratesOfRound(
  contenders: readonly Contender[],
  turnMs: number,
  round: number,
): Promise<number[]> {
  const rates: number[] = []
  const turns = [...contenders.entries()]
  for (const [i, contender] of round % 2 === 0 ? turns : turns.toReversed()) {
    rates[i] = await rateOf(contender, turnMs)
  }
  return rates
}

async function rateOf({ once }: Contender, turnMs: number): Promise<number> {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  let done = 0
  while (performance.now() - startedAt < turnMs) {
    for (let i = 0; i < 20; i++) {
      const result = once()
      if (result instanceof Promise) await result
    }
    done += 20
  }
  const { user, system } = process.cpuUsage(before)
  return (done / (user + system)) * 1_000_000
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
