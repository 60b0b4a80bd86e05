import type { Session } from '@posthorn/contract'
import { createContext, useContext } from 'react'

const SessionContext = createContext<Session | null>(null)

export const SessionProvider = SessionContext.Provider

/** Who is signed in; only below a page that asks for it. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('useSession is used on a page for which nobody signs in')
  return session
}

/** Whether the session may change things: what it may not is not offered. */
export function useMayChange(): boolean {
  return useSession().scopes.includes('send')
}
