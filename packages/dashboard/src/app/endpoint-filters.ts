/** What narrows the list of endpoints, as it stands in the address. */
export interface EndpointFilters {
  /** A part of the URL or of the description. */
  readonly q?: string
  readonly show?: 'attention' | 'disabled'
}

export function endpointFilters({ q, show }: Record<string, unknown>): EndpointFilters {
  return {
    ...(typeof q === 'string' && q !== '' && { q }),
    ...((show === 'attention' || show === 'disabled') && { show }),
  }
}
