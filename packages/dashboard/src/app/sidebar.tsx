import type { Session } from '@posthorn/contract'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useApi } from '../api/api-context.ts'
import { useEndpointHealth } from '../api/use-endpoint-health.ts'
import { needsAttention } from '../words/needs-attention.ts'
import { Logo } from './logo.tsx'
import { sidebarGroups } from './sidebar-groups.ts'

export interface SidebarProps {
  readonly session: Session
  /** On phones the sidebar is a drawer. */
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** The sidebar with links to all pages. */
export function Sidebar({ session, isOpen, onClose }: SidebarProps) {
  useEffect(() => {
    if (!isOpen) return
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') onClose()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isOpen, onClose])
  return (
    <aside
      aria-label="Sidebar"
      className={`no-print border-r border-line bg-sunken max-wide:fixed max-wide:inset-0 max-wide:top-13 max-wide:z-10 max-wide:overflow-y-auto wide:sticky wide:top-0 wide:h-dvh wide:overflow-y-auto ${isOpen ? '' : 'max-wide:hidden'}`}
    >
      <div className="flex min-h-full flex-col gap-4 p-3">
        <Link
          to="/"
          className="flex items-center gap-2 px-2 py-1 font-serif text-section text-ink no-underline"
        >
          <Logo portal={session.portal} />
          {session.portal?.name ?? 'Posthorn'}
        </Link>
        <nav aria-label="Pages" className="flex-1 space-y-4">
          {sidebarGroups(session).map(group => (
            <div key={group.title ?? 'first'}>
              {group.title !== null && <div className="px-2 pb-1 text-label text-ink-3">{group.title}</div>}
              <ul>
                {group.items.map(item => (
                  <li key={item.to}>
                    <Link
                      to={item.to}
                      activeOptions={{
                        exact: item.to === '/' || item.to === '/operator',
                        includeSearch: false,
                      }}
                      className="flex min-h-8 items-center justify-between rounded-small border-l-3 border-transparent px-2 text-ink-2 no-underline hover:bg-surface hover:text-ink data-[status=active]:border-brass-edge data-[status=active]:bg-surface data-[status=active]:font-medium data-[status=active]:text-ink pointer-coarse:min-h-11"
                    >
                      {item.label}
                      {item.countsAttention === true && <AttentionCount />}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        <div className="space-y-1 border-t border-line px-2 pt-3 text-label text-ink-3">
          {session.account !== null && <div className="truncate text-ink-2">{session.account.name}</div>}
          <div className="truncate">{visitorOf(session)}</div>
          {session.kind !== 'portal' && <SignOutButton />}
          {session.kind !== 'portal' && (
            <a href="/docs" className="flex min-h-6 items-center text-link pointer-coarse:min-h-11">
              API reference
            </a>
          )}
          <div>Posthorn {session.version}</div>
        </div>
      </div>
    </aside>
  )
}

/** What opened the session. A key's name alone could be taken for the account's. */
function visitorOf({ kind, name, role }: Session): string {
  switch (kind) {
    case 'account':
      return `Key “${name}”`
    case 'portal':
      return 'Portal link'
    case 'operator':
      return `${name === 'operator' ? 'Operator' : name}, may ${role === 'view' ? 'view' : 'change'}`
  }
}

/** How many endpoints need attention; nothing if none does. */
function AttentionCount() {
  const health = useEndpointHealth()
  const count = health.data?.filter(needsAttention).length ?? 0
  if (count === 0) return null
  return (
    <span className="rounded-small bg-failed-tint px-1.5 text-label text-failed">
      {count}
      <span className="sr-only"> need attention</span>
    </span>
  )
}

/** Ends the session and forgets all loaded data. */
function SignOutButton() {
  const { call, credentials } = useApi()
  const queries = useQueryClient()
  const router = useRouter()
  const signOut = async (): Promise<void> => {
    // an ended session is what the reader wants anyway
    await call('deleteSession').catch(() => {})
    credentials.forget()
    queries.clear()
    await router.navigate({ to: '/sign-in' })
  }
  return (
    <button type="button" onClick={() => void signOut()} className="text-link underline underline-offset-2">
      Sign out
    </button>
  )
}
