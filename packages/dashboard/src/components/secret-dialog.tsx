import type { ReactNode } from 'react'
import { envLine } from '../words/receivers.ts'
import { OnceDialog } from './once-dialog.tsx'
import { ReceiverCode } from './receiver-code.tsx'

export interface SecretDialogProps {
  /** Kept only in the caller's component state, and dropped in `onDone`. */
  readonly secret: string
  /** The name of the environment variable in the `.env` line and the code. */
  readonly secretName?: string
  /** The path of the endpoint's URL, for the code. */
  readonly path?: string
  /** Shown under the secret: what to try next. */
  readonly children?: ReactNode
  readonly onDone: () => void
}

/** Shows an endpoint's signing secret for the only time, with code that verifies with it. */
export function SecretDialog({ secret, secretName, path, children, onDone }: SecretDialogProps) {
  return (
    <OnceDialog
      title="Save the signing secret"
      about="This is the only time we show it. We store it encrypted and cannot show it again."
      leaveWords="Leave without saving? You would have to create a replacement."
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
