import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { SecretOnce } from './secret-once.tsx'

export interface OnceDialogProps {
  readonly title: string
  /** How the service keeps it, and that this is the only time it is shown. */
  readonly about: string
  /** The question if somebody leaves without saving it. */
  readonly leaveWords: string
  /** Kept only in the caller's component state, and dropped in `onDone`. */
  readonly secret: string
  /** Its name in a word or two; default: `secret`. */
  readonly what?: string
  /** Shown under the secret: what to do with it next. */
  readonly children?: ReactNode
  readonly onDone: () => void
}

/** Shows a secret for the only time. It closes after Copy or the tick; leaving earlier asks once. */
export function OnceDialog({
  title,
  about,
  leaveWords,
  secret,
  what = 'secret',
  children,
  onDone,
}: OnceDialogProps) {
  const [isSaved, setIsSaved] = useState(false)
  const [isCopied, setIsCopied] = useState(false)
  const [isAsked, setIsAsked] = useState(false)
  const maySafelyGo = isSaved || isCopied
  useBlocker({
    shouldBlockFn: () => {
      if (maySafelyGo || isAsked) return false
      setIsAsked(true)
      return true
    },
    enableBeforeUnload: () => !maySafelyGo,
  })
  const leave = (): void => {
    if (maySafelyGo || isAsked) onDone()
    else setIsAsked(true)
  }
  return (
    <Dialog
      title={title}
      onClose={leave}
      actions={
        <>
          {isAsked && !maySafelyGo && <LeaveAnyway words={leaveWords} onLeave={onDone} />}
          <label className="mr-auto flex items-center gap-2 pointer-coarse:min-h-11">
            <input type="checkbox" checked={isSaved} onChange={event => setIsSaved(event.target.checked)} />I
            have saved it
          </label>
          <Button kind="primary" disabled={!maySafelyGo} onClick={onDone}>
            Done
          </Button>
        </>
      }
    >
      <p>{about}</p>
      <SecretOnce secret={secret} what={what} onCopied={() => setIsCopied(true)} />
      {children}
    </Dialog>
  )
}

function LeaveAnyway({ words, onLeave }: { words: string; onLeave: () => void }) {
  return (
    <div className="flex basis-full flex-wrap items-center gap-2 border-l-4 border-failed bg-failed-tint px-3 py-2">
      <p role="alert" className="flex-1 font-medium">
        {words}
      </p>
      <Button kind="danger" onClick={onLeave}>
        Leave
      </Button>
    </div>
  )
}
