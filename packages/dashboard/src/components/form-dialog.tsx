import { type ReactNode, useId } from 'react'
import { otherError } from '../words/form-errors.ts'
import { ActionProblem } from './action-problem.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

export interface FormDialogProps {
  readonly title: string
  /** The button's label. */
  readonly submit: string
  readonly busy: boolean
  /** Whether the form is ready to send, if its fields cannot tell. */
  readonly isReady?: boolean
  readonly error: Error | null
  /** Paths such as `/name` of fields that show the service's message themselves. */
  readonly fields: readonly string[]
  readonly children: ReactNode
  readonly onSubmit: () => void
  readonly onClose: () => void
}

/** A small form in a dialog, with errors beside the fields. */
export function FormDialog(props: FormDialogProps) {
  const { title, submit, busy, isReady = true, error, fields, children, onSubmit, onClose } = props
  const formId = useId()
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId} busy={busy} disabled={!isReady}>
            {submit}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="space-y-4"
        onSubmit={event => {
          event.preventDefault()
          if (!busy) onSubmit()
        }}
      >
        {children}
        <ActionProblem error={otherError(error, fields)} />
      </form>
    </Dialog>
  )
}
