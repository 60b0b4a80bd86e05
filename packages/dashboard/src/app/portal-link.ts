/** The session that a portal link opens, and its secret, which works once. */
export interface PortalLink {
  readonly id: string
  readonly token: string
}

/** Reads a pasted portal link; null if it is not one of this service. */
export function readPortalLink(url: unknown, ownOrigin: string): PortalLink | null {
  if (typeof url !== 'string' || !URL.canParse(url)) return null
  const { origin, pathname, hash } = new URL(url)
  const id = /^\/portal\/(pses_[0-9a-z]{26})$/.exec(pathname)?.[1]
  if (origin !== ownOrigin || id === undefined || hash.length < 2) return null
  return { id, token: hash.slice(1) }
}
