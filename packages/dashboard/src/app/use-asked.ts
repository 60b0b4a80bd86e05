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
  // of the page that is shown: while the next one loads, this one must not take its wish
  const asked = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.state.asks })
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
