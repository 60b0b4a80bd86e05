import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'

export interface FreshSecretProps {
  readonly secret: string
  readonly isSaved: boolean
  readonly onSaved: () => void
  readonly onHide: () => void
}

/** The replacement secret, shown for the only time. It can be hidden after Copy or the tick; leaving earlier asks. */
export function FreshSecret({ secret, isSaved, onSaved, onHide }: FreshSecretProps) {
  const ref = useRef<HTMLDivElement>(null)
  const leaving = useBlocker({
    shouldBlockFn: () => !isSaved,
    enableBeforeUnload: () => !isSaved,
    withResolver: true,
  })
  useEffect(() => {
    // the button that created it is gone; the next one is Copy
    ref.current?.querySelector('button')?.focus()
  }, [])
  return (
    <div ref={ref} className="space-y-3 rounded border border-line bg-surface p-4">
      <p>
        {isSaved
          ? 'It stays here until you hide it or leave.'
          : 'This is the only time we show it. We store it encrypted and cannot show it again.'}
      </p>
      <SecretOnce secret={secret} onCopied={onSaved} />
      {isSaved ? (
        <Button onClick={onHide}>Done, hide it</Button>
      ) : (
        <label className="flex items-center gap-2 pointer-coarse:min-h-11">
          <input type="checkbox" checked={false} onChange={onSaved} />I have saved it
        </label>
      )}
      {leaving.status === 'blocked' && (
        <ConfirmDialog
          title="Leave without saving?"
          confirm="Leave"
          danger
          onConfirm={leaving.proceed}
          onCancel={leaving.reset}
        >
          <p>You would have to create a replacement.</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
