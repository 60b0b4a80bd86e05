import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { envLine } from '../words/receiver-snippets.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ReceiverCode } from './receiver-code.tsx'
import { SecretOnce } from './secret-once.tsx'

export interface SecretDialogProps {
  /** Kept in the caller's component state alone, and dropped in `onDone`. */
  readonly secret: string
  /** Of the environment variable in the `.env` line and the code. */
  readonly secretName?: string
  /** The path of the endpoint's URL, for the code. */
  readonly path?: string
  /** Under the secret: what can be tried with it at once. */
  readonly children?: ReactNode
  readonly onDone: () => void
}

/** Shows a secret for the only time. It closes once it was copied or ticked as saved; leaving before that asks once. */
export function SecretDialog({ secret, secretName, path, children, onDone }: SecretDialogProps) {
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
      title="Save the signing secret"
      onClose={leave}
      actions={
        <>
          {isAsked && !maySafelyGo && <LeaveAnyway onLeave={onDone} />}
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
      <p>This is the only time we show it. We keep it sealed and cannot show it again.</p>
      <SecretOnce secret={secret} onCopied={() => setIsCopied(true)} />
      <ReceiverCode
        envLine={envLine(secret, secretName)}
        {...(secretName !== undefined && { secretNames: [secretName] })}
        {...(path !== undefined && { path })}
      />
      {children}
    </Dialog>
  )
}

function LeaveAnyway({ onLeave }: { onLeave: () => void }) {
  return (
    <div className="flex basis-full flex-wrap items-center gap-2 border-l-4 border-failed bg-failed-tint px-3 py-2">
      <p role="alert" className="flex-1 font-medium">
        Leave without saving? You would have to make a replacement.
      </p>
      <Button kind="danger" onClick={onLeave}>
        Leave
      </Button>
    </div>
  )
}
