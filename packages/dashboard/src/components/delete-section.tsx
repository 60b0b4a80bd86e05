import type { UseMutationResult } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { type ReactNode, type Ref, useState } from 'react'
import { ActionProblem } from './action-problem.tsx'
import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

export interface DeleteSectionProps {
  /** The noun on the buttons: `endpoint`. */
  readonly what: string
  readonly name: string
  /** What to type before the deletion; default: the name. */
  readonly typed?: string
  /** What the deletion destroys, shown on the page and in the dialog. */
  readonly consequences: ReactNode
  readonly deleting: UseMutationResult<void, Error, void>
  readonly ref?: Ref<HTMLElement>
}

/** The last section of a page: deletes the object after its name was typed. */
export function DeleteSection({ what, name, typed = name, consequences, deleting, ref }: DeleteSectionProps) {
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
          typed={typed}
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
