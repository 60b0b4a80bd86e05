import { useRouter, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { rememberOpened, wasOpened } from '../app/opened-rows.ts'

/** A link over a whole row. After Back, the opened row is marked and focused. */
export function RowLink({ href, children }: { href: string; children: ReactNode }) {
  const router = useRouter()
  const historyKey = useRouterState({ select: ({ location }) => location.state.__TSR_key })
  const link = useRef<HTMLAnchorElement>(null)
  const isOpened = wasOpened(historyKey, href)
  useEffect(() => {
    if (isOpened) link.current?.focus({ preventScroll: true })
  }, [isOpened])
  return (
    <a
      ref={link}
      href={href}
      data-row-link
      data-opened={isOpened || undefined}
      className="min-w-0 truncate text-ink no-underline after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ink"
      onClick={event => {
        rememberOpened(historyKey, href)
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        router.history.push(href)
      }}
    >
      {children}
    </a>
  )
}
