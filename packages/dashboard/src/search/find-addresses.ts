import type { Call } from '../api/call.ts'
import type { Match } from './match.ts'

/** The start of an address, if the text is one: `ann@`, `ann@exam`; null if not. */
export function addressStart(text: string): string | null {
  const start = text.trim()
  return /^[^\s\p{Cc}<>@"'=,;]{1,64}@[^\s\p{Cc}<>@"'=,;]{0,255}$/u.test(start) && start.length >= 3
    ? start
    : null
}

/** Addresses that begin with a text. Each opens the list in which it was found. */
export async function findAddresses(call: Call, prefix: string, signal: AbortSignal): Promise<Match[]> {
  const { data } = await call('findAddresses', { query: { prefix }, signal })
  return data.flatMap(({ address, found_in: places }) =>
    places.map((place): Match => {
      return {
        group: 'Addresses in suppressions and sent emails',
        href: hrefs[place],
        title: address,
        detail: `in ${place}`,
        recipient: address,
      }
    }),
  )
}

const hrefs = { emails: '/emails', suppressions: '/suppressions?state=active,lapsed,lifted' } as const
