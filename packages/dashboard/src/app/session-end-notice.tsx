import { Button } from '../components/button.tsx'
import { Time } from '../components/time.tsx'

export interface SessionEndNoticeProps {
  readonly atMs: number
  /** The session ends because it is idle, and can be extended. */
  readonly isIdle: boolean
  readonly onStay: () => void
}

/** Two minutes are enough to finish a sentence or to extend the session. */
export function SessionEndNotice({ atMs, isIdle, onStay }: SessionEndNoticeProps) {
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
