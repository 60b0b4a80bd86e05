import type { Session } from '@posthorn/contract'
import { createContext, useContext } from 'react'
import { managesKeys } from '../words/own-keys.ts'

const SessionContext = createContext<Session | null>(null)

export const SessionProvider = SessionContext.Provider

/** The current session; only for components below a page that requires one. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('useSession is used outside a page that requires a session')
  return session
}

/** Whether the session may create and revoke API keys of its account. */
export function useMayManageKeys(): boolean {
  return managesKeys(useSession().scopes)
}

/** Whether the session may change things; otherwise pages leave those actions out. */
export function useMayChange(): boolean {
  return useSession().scopes.includes('send')
}
