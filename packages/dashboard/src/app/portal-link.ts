/** Of a portal link: which session it opens, and the secret that opens it, once. */
export interface PortalLink {
  readonly id: string
  readonly token: string
}

/** Reads a link that another page handed over; null when it is none of this service. */
export function readPortalLink(url: unknown, ownOrigin: string): PortalLink | null {
  if (typeof url !== 'string' || !URL.canParse(url)) return null
  const { origin, pathname, hash } = new URL(url)
  const id = /^\/portal\/(pses_[0-9a-z]{26})$/.exec(pathname)?.[1]
  if (origin !== ownOrigin || id === undefined || hash.length < 2) return null
  return { id, token: hash.slice(1) }
}
