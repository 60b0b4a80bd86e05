/** What an API key may do: read, change, or report outcomes. No scope includes another. */
export const scopes = ['read', 'send', 'ingest'] as const

export type Scope = (typeof scopes)[number]
