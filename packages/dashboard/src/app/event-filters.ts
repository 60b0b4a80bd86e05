/** What narrows the list of events, as it stands in the address. Recipients are personal and never stand there. */
export interface EventFilters {
  readonly type?: string
  readonly email?: string
  readonly since?: string
  readonly until?: string
}

const names = ['type', 'email', 'since', 'until'] as const

export function eventFilters(search: Record<string, unknown>): EventFilters {
  return Object.fromEntries(
    names.flatMap(name => {
      const value = search[name]
      return typeof value === 'string' && value !== '' ? [[name, value]] : []
    }),
  )
}
