export interface RedirectWords {
  /** The target, shortened to a path if it is on the same server. */
  readonly target: string
  /** The difference, if it is easy to miss. */
  readonly difference: string | null
}

/** Where a URL redirects to, compared with the URL itself. */
export function redirectWords(url: string, redirectTo: string): RedirectWords {
  const [from, to] = [URL.parse(url), URL.parse(redirectTo)]
  if (from === null || to === null) return { target: redirectTo, difference: null }
  const target = from.origin === to.origin ? `${to.pathname}${to.search}` : redirectTo
  return { target, difference: differenceOf(from, to) }
}

function differenceOf(from: URL, to: URL): string | null {
  const isSame = (part: 'origin' | 'host' | 'pathname' | 'search'): boolean => from[part] === to[part]
  if (isSame('origin') && isSame('search')) {
    if (to.pathname === `${from.pathname}/`) return 'Only the slash at the end is missing here.'
    if (from.pathname === `${to.pathname}/`) return 'Only the slash at the end must be removed here.'
  }
  if (isSame('host') && isSame('pathname') && isSame('search') && from.protocol !== to.protocol)
    return `Only ${from.protocol} must be ${to.protocol}`
  const [short, long] = [from.host, to.host].toSorted((a, b) => a.length - b.length)
  if (isSame('pathname') && long === `www.${short}`) return 'Only the www. differs.'
  return null
}
