import { type ReactNode, useId } from 'react'
import { otherError } from '../words/form-errors.ts'
import { ActionProblem } from './action-problem.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

export interface FormDialogProps {
  readonly title: string
  /** What the button does. */
  readonly submit: string
  readonly busy: boolean
  /** What a form must have before it can be sent, where its fields cannot say so. */
  readonly isReady?: boolean
  readonly error: Error | null
  /** Paths such as `/name` whose fields tell by themselves what the service has against them. */
  readonly fields: readonly string[]
  readonly children: ReactNode
  readonly onSubmit: () => void
  readonly onClose: () => void
}

/** A few fields that make something; what is wrong stands beside them. */
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
