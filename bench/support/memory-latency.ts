/**
 * How long a look at memory takes that the looks before it say nothing about: in nanoseconds, over so many bytes. What fits
 * into the processor's caches is quick. Those of a virtual machine are shared with others, of whom nothing else is seen.
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
  // what nobody asks for would not be looked up
  return at >= 0 ? (tookMs * 1e6) / looks : 0
}

/** A line of the caches, and the words in it, of which one is looked at. */
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
