/**
 * What an API key may do: read, change, report outcomes, or manage the account's API keys. No scope includes another.
 * `keys` works only together with `send`.
 */
export const scopes = ['read', 'send', 'ingest', 'keys'] as const

export type Scope = (typeof scopes)[number]
