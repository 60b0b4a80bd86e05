import { useNowMs } from './clock.ts'
import { useSession } from './session.ts'

const announcedMs = 120_000

/** Says that the session is about to end, two minutes before it does. */
export function SessionEnd() {
  const { expires_at: expiresAt } = useSession()
  const leftMs = Date.parse(expiresAt) - useNowMs()
  if (leftMs > announcedMs) return null
  return (
    <p role="status" className="mb-4 border-l-4 border-pending bg-pending-tint px-4 py-2">
      {leftMs > 0
        ? 'Your session ends within two minutes. What you type is kept when you sign in again.'
        : 'Your session ended. Sign in again; what you typed is kept.'}
    </p>
  )
}
