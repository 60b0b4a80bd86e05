import type { Behaviour } from '../support/receiver-process.ts'

/** The number of bad endpoints of each kind. */
export interface BadEndpoints {
  hanging: number
  /** Half of them refuse the connection, and half answer 500. */
  refusing: number
  slow: number
}

/** The behavior of the receiver for each kind. `refused` connections never reach the receiver. */
export const badBehaviours: Readonly<Record<string, Behaviour>> = {
  hang: 'hang',
  fail: 'fail',
  slow: { okAfterMs: 2_000 },
}

/** Nothing listens on this port. */
const closedPort = 1

/** The URLs of all bad endpoints in mixed order, each with its own origin. */
export function badUrls({ hanging, refusing, slow }: BadEndpoints, port: number): string[] {
  const kinds = [
    ...Array.from({ length: hanging }, () => 'hang'),
    ...Array.from({ length: refusing }, (_, n) => (n % 2 === 0 ? 'refused' : 'fail')),
    ...Array.from({ length: slow }, () => 'slow'),
  ]
  // a stride that is coprime to the number visits each endpoint once and mixes the kinds in every account
  const stride = strideOf(kinds.length)
  return kinds.map((_, n) => {
    const kind = kinds[(n * stride) % kinds.length] ?? 'hang'
    return `http://${ownAddress(n)}:${kind === 'refused' ? closedPort : port}/${kind}/${n}`
  })
}

/** A unique loopback address for each number. Healthy endpoints use 127.0. */
function ownAddress(n: number): string {
  return `127.${1 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`
}

function strideOf(length: number): number {
  const divides = (a: number, b: number): number => (b === 0 ? a : divides(b, a % b))
  let stride = Math.floor(length / 1.618)
  while (divides(length, stride) > 1) stride++
  return stride
}
