/** The filters of the list of endpoints, as they appear in the URL. */
export interface EndpointFilters {
  /** Part of the URL or of the description. */
  readonly q?: string
  readonly show?: 'attention' | 'disabled'
}

export function endpointFilters({ q, show }: Record<string, unknown>): EndpointFilters {
  return {
    ...(typeof q === 'string' && q !== '' && { q }),
    ...((show === 'attention' || show === 'disabled') && { show }),
  }
}
