/**
 * The time of a random memory access in nanoseconds, over `bytes` bytes. It shows how much cache is available, because
 * virtual machines share their caches with others.
 */
export function memoryLatencyNs(bytes: number, looks = 2_000_000): number {
  const lines = bytes / lineBytes
  const next = new Uint32Array(lines * wordsEach)
  const order = shuffled(lines)
  order.forEach((line, n) => (next[line * wordsEach] = (order[(n + 1) % lines] ?? 0) * wordsEach))
  let at = walk(next, 0, lines)
  const fromMs = performance.now()
  at = walk(next, at, looks)
  const tookMs = performance.now() - fromMs
  // uses the result, so that V8 does not remove the loop
  return at >= 0 ? (tookMs * 1e6) / looks : 0
}

/** The size of a cache line. Each access reads one word of a line. */
const lineBytes = 64
const wordsEach = lineBytes / Uint32Array.BYTES_PER_ELEMENT

function walk(next: Uint32Array, from: number, looks: number): number {
  let at = from
  for (let n = 0; n < looks; n++) at = next[at] ?? 0
  return at
}

function shuffled(count: number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, n) => n)
  for (let n = count - 1; n > 0; n--) {
    const other = Math.floor(Math.random() * (n + 1))
    const kept = order[n] ?? 0
    order[n] = order[other] ?? 0
    order[other] = kept
  }
  return order
}
