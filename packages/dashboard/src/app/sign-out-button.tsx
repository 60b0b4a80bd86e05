import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useApi } from '../api/api-context.ts'

/** Ends the session and forgets all loaded data. */
export function SignOutButton() {
  const { call, credentials } = useApi()
  const queries = useQueryClient()
  const router = useRouter()
  const signOut = async (): Promise<void> => {
    // an ended session is what the reader wants anyway
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
