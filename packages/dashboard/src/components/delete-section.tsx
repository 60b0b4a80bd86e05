import type { UseMutationResult } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { type ReactNode, type Ref, useState } from 'react'
import { ActionProblem } from './action-problem.tsx'
import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

export interface DeleteSectionProps {
  /** `endpoint`, as its buttons call it. */
  readonly what: string
  /** What has to be typed before it goes. */
  readonly name: string
  /** What is lost with it, said before anything is pressed and once more in the dialog. */
  readonly consequences: ReactNode
  readonly deleting: UseMutationResult<void, Error, void>
  readonly ref?: Ref<HTMLElement>
}

/** The end of a page about something: it goes for ever, after its name was typed. */
export function DeleteSection({ what, name, consequences, deleting, ref }: DeleteSectionProps) {
  const [isAsked, setIsAsked] = useState(false)
  return (
    <section ref={ref} id="delete" aria-label="Delete" className="space-y-2 border-t border-line pt-5">
      <h2>Delete</h2>
      {consequences}
      <Button kind="danger" icon={<Trash2 size={16} aria-hidden />} onClick={() => setIsAsked(true)}>
        Delete {what} …
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          confirm={`Delete ${what}`}
          danger
          typed={name}
          busy={deleting.isPending}
          onConfirm={() => deleting.mutate()}
          onCancel={() => {
            setIsAsked(false)
            deleting.reset()
          }}
        >
          {consequences}
          <ActionProblem error={deleting.error} />
        </ConfirmDialog>
      )}
    </section>
  )
}
