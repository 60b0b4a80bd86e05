import { createLink } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'

/** Tabs: the pages of one object. */
export function TabNav({ label, children }: { label: string; children: ReactNode }) {
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    // on a phone the current tab may be out of sight
    const current = nav.current?.querySelector<HTMLElement>('[data-status=active]')
    if (current !== null && current !== undefined) nav.current?.scrollTo({ left: current.offsetLeft - 16 })
  }, [])
  return (
    <nav
      ref={nav}
      aria-label={label}
      className="no-print mb-4 flex gap-1 overflow-x-auto border-b border-line"
    >
      {children}
    </nav>
  )
}

/** One tab; the router marks the current one with `data-status="active"`. */
export const TabLink = createLink(({ children, ...rest }: ComponentProps<'a'>) => (
  <a
    {...rest}
    className="border-b-2 border-transparent px-3 py-2 max-wide:px-1.5 whitespace-nowrap text-ink-2 no-underline hover:text-ink data-[status=active]:border-brass-edge data-[status=active]:font-medium data-[status=active]:text-ink"
  >
    {children}
  </a>
))
