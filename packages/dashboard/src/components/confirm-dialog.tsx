import { type ReactNode, useId, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

export interface ConfirmDialogProps {
  readonly title: string
  /** What will happen. */
  readonly children: ReactNode
  /** The button's label, with the number. */
  readonly confirm: string
  readonly danger?: boolean
  /** A word to type before the button works. */
  readonly typed?: string
  /** A statement to tick before the button works. */
  readonly ticked?: string
  readonly busy?: boolean
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

/** Says what an action destroys or stops, and asks before doing it. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirm, danger = false, typed, ticked, busy = false, onConfirm, onCancel } = props
  const [text, setText] = useState('')
  const [tick, setTick] = useState(false)
  const typedId = useId()
  const ready = (typed === undefined || text.trim() === typed) && (ticked === undefined || tick)
  return (
    <Dialog
      title={title}
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>Cancel</Button>
          <Button kind={danger ? 'danger' : 'primary'} disabled={!ready} busy={busy} onClick={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    >
      <div className="space-y-2">{children}</div>
      {typed !== undefined && (
        <div className="space-y-1">
          <label htmlFor={typedId} className="block">
            Type <code>{typed}</code>
          </label>
          <input
            id={typedId}
            value={text}
            autoComplete="off"
            spellCheck={false}
            onChange={event => setText(event.target.value)}
            className="min-h-8 w-full rounded border border-control bg-surface px-3 font-mono text-code"
          />
        </div>
      )}
      {ticked !== undefined && (
        <label className="flex items-start gap-2">
          <input
            type="checkbox"
            checked={tick}
            onChange={event => setTick(event.target.checked)}
            className="mt-0.5"
          />
          {ticked}
        </label>
      )}
    </Dialog>
  )
}
