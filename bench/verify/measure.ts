/** A name and the function to measure. */
export interface Contender {
  readonly name: string
  readonly once: () => unknown
}

/** The result of one contender. */
export interface Measured {
  /** Operations per second of processor time. */
  readonly rate: number
  /** The rate divided by the rate of the first contender. */
  readonly ratio: number
}

/**
 * Measures all contenders for a short time in each round and returns medians. It counts processor time, because other
 * programs also use wall-clock time. They still affect caches and clock rates. So it computes a ratio within each round,
 * where both sides are affected equally, and uses the median of the ratios.
 */
export async function measure(
  contenders: readonly Contender[],
  turnMs: number,
  rounds: number,
): Promise<Measured[]> {
  const measured = contenders.map((): { rates: number[]; ratios: number[] } => ({ rates: [], ratios: [] }))
  // The first rounds are a warm-up and do not count.
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

/** The rates in the order of the contenders. Odd rounds run backwards, so that no one always follows the same one. */
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
