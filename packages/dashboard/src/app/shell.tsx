import type { Session } from '@posthorn/contract'
import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Menu as MenuIcon } from 'lucide-react'
import { Button } from '../components/button.tsx'
import { ZoneSwitch } from '../components/zone-switch.tsx'
import { SearchBox } from '../search/search-box.tsx'
import { usePreferences } from './preferences.ts'
import { SessionEnd } from './session-end.tsx'
import { SessionProvider } from './session.ts'
import { ShortcutKeys } from './shortcut-keys.tsx'
import { Sidebar } from './sidebar.tsx'

export interface ShellProps {
  readonly session: Session
  readonly hasSidebar: boolean
  readonly children: ReactNode
}

/** The frame of every page: sidebar, search and account. */
export function Shell({ session, hasSidebar, children }: ShellProps) {
  const { density } = usePreferences()
  const pathname = useRouterState({ select: state => state.location.pathname })
  // the path of the shown page: while the next one loads, this one still has the focus
  const shownPath = useRouterState({ select: state => state.resolvedLocation?.pathname })
  // the page on which the drawer was opened
  const [drawerPath, setDrawerPath] = useState<string | null>(null)
  const drawerOpen = drawerPath === pathname
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  const leftFrom = useRef<Element | null>(null)
  useEffect(() => {
    leftFrom.current = document.activeElement
  }, [pathname])
  useEffect(() => {
    // a new page starts at the top, unless its scroll position is restored or the reader has moved already
    const at = document.activeElement
    const goesOn = main.current?.contains(at) === true || (at !== document.body && at !== leftFrom.current)
    if (!isFirst.current && !goesOn) main.current?.focus({ preventScroll: true })
    isFirst.current = shownPath === undefined
  }, [shownPath])
  return (
    <SessionProvider value={session}>
      <a
        href="#main"
        className="sr-only rounded bg-surface px-3 py-2 text-link focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-20"
      >
        Skip to the page
      </a>
      <div
        data-density={density}
        className="min-h-dvh wide:grid wide:grid-cols-[13.5rem_minmax(0,1fr)] wide:data-[nav=0]:block print:block!"
        data-nav={hasSidebar ? 1 : 0}
      >
        {hasSidebar && <Sidebar session={session} isOpen={drawerOpen} onClose={() => setDrawerPath(null)} />}
        <div className="min-w-0">
          <header className="no-print sticky top-0 z-10 flex items-center gap-2 border-b border-line bg-paper px-4 py-2 wide:px-6">
            {hasSidebar && (
              <div className="-ml-3 wide:hidden">
                <Button
                  kind="quiet"
                  aria-label="Menu"
                  aria-expanded={drawerOpen}
                  icon={<MenuIcon size={20} aria-hidden />}
                  onClick={() => setDrawerPath(drawerOpen ? null : pathname)}
                />
              </div>
            )}
            <SearchBox />
            {isReadOnly(session) && (
              <span
                title={`${session.name} can read, but not change anything.`}
                className="rounded-small bg-sunken px-1.5 py-0.5 text-label whitespace-nowrap text-ink-2"
              >
                Read only
              </span>
            )}
            <ZoneSwitch />
          </header>
          <main
            ref={main}
            id="main"
            tabIndex={-1}
            className="mx-auto max-w-320 px-4 py-5 outline-none wide:px-6"
          >
            <SessionEnd />
            <ShortcutKeys />
            {children}
          </main>
        </div>
      </div>
    </SessionProvider>
  )
}

function isReadOnly({ kind, role, scopes }: Session): boolean {
  return kind === 'operator' ? role === 'view' : !scopes.includes('send')
}
