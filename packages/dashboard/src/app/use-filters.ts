import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { keepRecipient, recipientOf } from './recipient-memory.ts'

export interface Filtering<Name extends string> {
  readonly filters: { readonly [Key in Name]?: string }
  /** Kept in memory only. */
  readonly recipient: string | null
  /** How many filters are on. */
  readonly count: number
  /** Applies a filter at once, as an entry in the browser's history; undefined or null removes it. */
  readonly change: (changed: { readonly [Key in Name | 'recipient']?: string | null | undefined }) => void
  readonly clear: () => void
}

/** The filters of the list on this page: all in the URL, except a recipient. */
export function useFilters<const Name extends string>(names: readonly Name[]): Filtering<Name> {
  const navigate = useNavigate()
  const search: Record<string, unknown> = useSearch({ strict: false })
  const ticket = useRouterState({ select: ({ location }) => location.state.recipientTicket })
  const recipient = recipientOf(ticket)
  const filters = Object.fromEntries(
    names.flatMap(name => (typeof search[name] === 'string' ? [[name, search[name]]] : [])),
  ) as Filtering<Name>['filters']

  const change = useCallback(
    ({ recipient: asked, ...changed }: Parameters<Filtering<Name>['change']>[0]) => {
      const given = Object.entries(changed).map(([name, value]) => [name, value ?? undefined])
      void navigate({
        to: '.',
        search: (old: Record<string, unknown>) => ({ ...old, ...Object.fromEntries(given) }),
        state: old => ({
          ...old,
          ...(asked !== undefined && { recipientTicket: asked === null ? undefined : keepRecipient(asked) }),
        }),
        resetScroll: false,
      })
    },
    [navigate],
  )
  const clear = (): void => {
    const none = Object.fromEntries([...names, 'recipient'].map(name => [name, null]))
    change(none as Parameters<Filtering<Name>['change']>[0])
  }
  const count = Object.keys(filters).length + (recipient === null ? 0 : 1)
  return { filters, recipient, count, change, clear }
}
