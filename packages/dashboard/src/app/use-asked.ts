import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** What a search result wants the page to open or do, such as a dialog. */
    asks?: string | undefined
  }
}

/** Opens or does what a search result asked for, once: not again after Back or a reload. */
export function useAsked(open: (asked: string) => void): void {
  const navigate = useNavigate()
  const asked = useRouterState({ select: ({ location }) => location.state.asks })
  const latest = useRef(open)
  const done = useRef<string>(undefined)
  useEffect(() => {
    latest.current = open
  })
  useEffect(() => {
    const isDone = done.current === asked
    done.current = asked
    if (asked === undefined || isDone) return
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
