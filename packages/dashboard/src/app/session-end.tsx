import type { Session } from '@posthorn/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useApi } from '../api/api-context.ts'
import { useIsSilent } from '../api/use-silence.ts'
import { Button } from '../components/button.tsx'
import { Time } from '../components/time.tsx'
import { LinkAgain } from '../pages/sign-in/link-again.tsx'
import { SignInAgain } from '../pages/sign-in/sign-in-again.tsx'
import { announce } from './announce.ts'
import { useNowMs } from './clock.ts'
import { sessionEndsAt } from './session-ends-at.ts'
import { sessionQuery } from './session-query.ts'
import { useRenewedLink } from './use-renewed-link.ts'

const announcedMs = 120_000

/** Warns two minutes before the session ends. Afterwards it offers to sign in without leaving the page. */
export function SessionEnd() {
  const api = useApi()
  const { credentials } = api
  const { data: session, dataUpdatedAt: readAtMs, refetch } = useQuery(sessionQuery(api))
  const hasEnded = useSyncExternalStore(credentials.subscribe, () => credentials.hasEnded)
  const isSilent = useIsSilent()
  const nowMs = useNowMs()
  const { atMs, isIdle } =
    session === undefined
      ? { atMs: Number.POSITIVE_INFINITY, isIdle: false }
      : sessionEndsAt(session, { readAtMs, usedAtMs: credentials.usedAtMs })
  const isEnding = !hasEnded && nowMs >= atMs - announcedMs
  const isDue = !hasEnded && nowMs >= atMs
  useRenewedLink(session, isEnding)

  useEffect(() => {
    if (isEnding) announce('Your session ends in two minutes.')
  }, [isEnding])
  useEffect(() => {
    // ask the service: its clock may differ, and another tab may have used the session
    if (isDue) void refetch()
  }, [isDue, refetch])

  if (session === undefined) return null
  if (hasEnded) return <Ended key={readAtMs} session={session} />
  // a page that needs no service must not be interrupted, and cannot extend the session
  return isEnding && !isSilent ? (
    <SessionEndNotice atMs={atMs} isIdle={isIdle} onStay={() => void refetch()} />
  ) : null
}

/** The dialog can be closed, so that text can be copied from the page; a notice opens it again. */
function Ended({ session }: { session: Session }) {
  const [isOpen, setOpen] = useState(true)
  const close = (): void => setOpen(false)
  if (isOpen && session.kind === 'portal') return <LinkAgain session={session} onClose={close} />
  if (isOpen) return <SignInAgain onClose={close} />
  return (
    <div className="mb-4 flex flex-wrap items-center gap-3 border-l-4 border-failed bg-failed-tint px-4 py-2">
      <p className="flex-1">Your session ended. Sign in again. Your input is kept.</p>
      <Button onClick={() => setOpen(true)}>{session.kind === 'portal' ? 'Continue' : 'Sign in'}</Button>
    </div>
  )
}

interface SessionEndNoticeProps {
  readonly atMs: number
  /** The session ends because it is idle, and can be extended. */
  readonly isIdle: boolean
  readonly onStay: () => void
}

/** Two minutes are enough to finish a sentence or to extend the session. */
function SessionEndNotice({ atMs, isIdle, onStay }: SessionEndNoticeProps) {
  return (
    <div className="mb-4 flex flex-wrap items-center gap-3 border-l-4 border-pending bg-pending-tint px-4 py-2">
      <p className="flex-1">
        Your session ends at <Time at={new Date(atMs).toISOString()} relative />
        {isIdle ? ', because it has been idle.' : '.'} Your input is kept when you sign in again.
      </p>
      {isIdle && <Button onClick={onStay}>Stay signed in</Button>}
    </div>
  )
}
