/** What the address asked for when the page was opened; it holds until the page is left, wherever one goes in it. */
export interface Visit {
  /** `nav=0`: the page around ours shows the way. */
  readonly hasSidebar: boolean
  /** The secret of a portal link. */
  readonly portalToken: string | null
}

/** Reads what was asked for, and takes the secret out of the address at once, so that no history keeps it. */
export function beginVisit({ location, history }: Pick<Window, 'location' | 'history'>): Visit {
  const hasSidebar = new URLSearchParams(location.search).get('nav') !== '0'
  if (!location.pathname.startsWith('/portal/') || location.hash.length < 2) {
    return { hasSidebar, portalToken: null }
  }
  const portalToken = location.hash.slice(1)
  history.replaceState(history.state, '', location.pathname + location.search)
  return { hasSidebar, portalToken }
}
