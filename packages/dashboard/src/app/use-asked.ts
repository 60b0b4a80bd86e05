import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** What a search result wants the page to open, such as a dialog. */
    asks?: string | undefined
  }
}

/** Opens what a search result asked for, once: not again after Back. */
export function useAsked(open: (asked: string) => void): void {
  const navigate = useNavigate()
  const asked = useRouterState({ select: ({ location }) => location.state.asks })
  const latest = useRef(open)
  useEffect(() => {
    latest.current = open
  })
  useEffect(() => {
    if (asked === undefined) return
    void navigate({
      to: '.',
      search: true,
      state: old => ({ ...old, asks: undefined }),
      replace: true,
      resetScroll: false,
    })
    latest.current(asked)
  }, [asked, navigate])
}
