import { type ReactNode, useEffect, useId, useRef } from 'react'

export interface DialogProps {
  readonly title: ReactNode
  readonly children: ReactNode
  /** Buttons, the main one last; fixed at the bottom on phones. */
  readonly actions: ReactNode
  /** Called for Esc and the browser's back gesture. Return false to stay. */
  readonly onClose: () => boolean | void
}

/** The browser's modal dialog, which holds the focus and returns it to the opener. */
export function Dialog({ title, children, actions, onClose }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = ref.current
    const opener = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      // the opener may have disappeared after the action
      const back =
        opener instanceof HTMLElement && opener.isConnected ? opener : document.getElementById('main')
      back?.focus({ preventScroll: true })
    }
  }, [])
  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onCancel={event => {
        event.preventDefault()
        onClose()
      }}
      className="m-auto flex max-h-full w-full max-w-160 flex-col rounded border border-line bg-surface p-0 text-body shadow-float max-wide:h-full max-wide:max-h-none max-wide:max-w-none max-wide:rounded-none"
    >
      <div className="flex-1 space-y-4 overflow-y-auto p-6">
        <h2 id={titleId}>{title}</h2>
        {children}
      </div>
      <div className="flex flex-wrap justify-end gap-2 border-t border-line bg-surface px-6 py-3">
        {actions}
      </div>
    </dialog>
  )
}
