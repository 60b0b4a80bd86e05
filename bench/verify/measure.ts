/** One thing to measure: a name, and a function that does it once. */
export interface Contender {
  readonly name: string
  readonly once: () => unknown
}

/**
 * Operations per second of processor time of each contender: the median of rounds in which all of them take turns.
 * Processor time and not the clock on the wall, which also counts what other programs on the machine do.
 */
export async function measure(
  contenders: readonly Contender[],
  roundMs: number,
  rounds: number,
): Promise<number[]> {
  const rates = contenders.map((): number[] => [])
  // The first round warms up and is not counted.
  for (let round = 0; round <= rounds; round++) {
    for (const [i, contender] of contenders.entries()) {
      const rate = await rateOf(contender, roundMs)
      if (round > 0) rates[i]?.push(rate)
    }
  }
  return rates.map(median)
}

async function rateOf({ once }: Contender, roundMs: number): Promise<number> {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  let done = 0
  while (performance.now() - startedAt < roundMs) {
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
