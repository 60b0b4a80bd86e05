/** The options of the URL that opened the page; they apply until the page is closed. */
export interface Visit {
  /** `nav=0`: the host page has the navigation. */
  readonly hasSidebar: boolean
  /** The secret of a portal link. */
  readonly portalToken: string | null
}

/** Reads the options, and removes the secret from the URL at once, so that no history keeps it. */
export function beginVisit({ location, history }: Pick<Window, 'location' | 'history'>): Visit {
  const hasSidebar = new URLSearchParams(location.search).get('nav') !== '0'
  if (!location.pathname.startsWith('/portal/') || location.hash.length < 2) {
    return { hasSidebar, portalToken: null }
  }
  const portalToken = location.hash.slice(1)
  history.replaceState(history.state, '', location.pathname + location.search)
  return { hasSidebar, portalToken }
}
