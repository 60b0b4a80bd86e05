import type { Behaviour } from '../support/receiver-process.ts'

/** How many endpoints of each kind stand beside the healthy ones. */
export interface BadEndpoints {
  hanging: number
  /** Half of them refuse the connection, half answer with 500. */
  refusing: number
  slow: number
}

/** What the receiver's groups do in which bad endpoints are; the connections of `refused` never come so far. */
export const badBehaviours: Readonly<Record<string, Behaviour>> = {
  hang: 'hang',
  fail: 'fail',
  slow: { okAfterMs: 2_000 },
}

/** Nothing listens on the port of the ancient multiplexer. */
const closedPort = 1

/** The URL of each bad endpoint, the kinds mixed, each an origin of its own. */
export function badUrls({ hanging, refusing, slow }: BadEndpoints, port: number): string[] {
  const kinds = [
    ...Array.from({ length: hanging }, () => 'hang'),
    ...Array.from({ length: refusing }, (_, n) => (n % 2 === 0 ? 'refused' : 'fail')),
    ...Array.from({ length: slow }, () => 'slow'),
  ]
  // the same mix in every account: a stride that has no divisor in common with the number visits each once
  const stride = strideOf(kinds.length)
  return kinds.map((_, n) => {
    const kind = kinds[(n * stride) % kinds.length] ?? 'hang'
    return `http://${ownAddress(n)}:${kind === 'refused' ? closedPort : port}/${kind}/${n}`
  })
}

/** An address of the loopback network that no other number has; those of 127.0 are left to healthy ones. */
function ownAddress(n: number): string {
  return `127.${1 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`
}

function strideOf(length: number): number {
  const divides = (a: number, b: number): number => (b === 0 ? a : divides(b, a % b))
  let stride = Math.floor(length / 1.618)
  while (divides(length, stride) > 1) stride++
  return stride
}
