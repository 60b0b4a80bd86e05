import type { Session } from '@posthorn/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useApi } from '../../api/api-context.ts'
import { adoptSession } from '../../app/adopt-session.ts'
import { announce } from '../../app/announce.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { SignInForm } from './sign-in-form.tsx'

export interface SignInAgainProps {
  readonly onClose: () => void
}

/** The sign-in over the page where the session ended; after it, the page continues with all typed input. */
export function SignInAgain({ onClose }: SignInAgainProps) {
  const api = useApi()
  const queries = useQueryClient()
  const router = useRouter()
  const goOn = async (session: Session): Promise<void> => {
    if (adoptSession({ api, queries }, session)) {
      announce('Signed in again')
      await router.invalidate()
    } else {
      await router.navigate({ to: session.kind === 'operator' ? '/operator' : '/' })
    }
  }
  return (
    <Dialog title="Your session ended" onClose={onClose} actions={<Button onClick={onClose}>Not now</Button>}>
      <p>Sign in again. Your input is kept.</p>
      <SignInForm onSignedIn={session => void goOn(session)} />
    </Dialog>
  )
}
