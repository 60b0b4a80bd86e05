import type { ReactNode } from 'react'
import { envLine } from '../words/receiver-snippets.ts'
import { OnceDialog } from './once-dialog.tsx'
import { ReceiverCode } from './receiver-code.tsx'

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

/** Shows an endpoint's signing secret for the only time, with the code that verifies with it. */
export function SecretDialog({ secret, secretName, path, children, onDone }: SecretDialogProps) {
  return (
    <OnceDialog
      title="Save the signing secret"
      about="This is the only time we show it. We keep it sealed and cannot show it again."
      leaveWords="Leave without saving? You would have to make a replacement."
      secret={secret}
      onDone={onDone}
    >
      <ReceiverCode
        envLine={envLine(secret, secretName)}
        {...(secretName !== undefined && { secretNames: [secretName] })}
        {...(path !== undefined && { path })}
      />
      {children}
    </OnceDialog>
  )
}
