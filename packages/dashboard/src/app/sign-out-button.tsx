import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useApi } from '../api/api-context.ts'

/** Ends the session here and at the service, and forgets everything that was read. */
export function SignOutButton() {
  const { call, credentials } = useApi()
  const queries = useQueryClient()
  const router = useRouter()
  const signOut = async (): Promise<void> => {
    // a session that is over already is what was wanted
    await call('deleteSession').catch(() => {})
    credentials.forget()
    queries.clear()
    await router.navigate({ to: '/sign-in' })
  }
  return (
    <button type="button" onClick={() => void signOut()} className="text-link underline underline-offset-2">
      Sign out
    </button>
  )
}
