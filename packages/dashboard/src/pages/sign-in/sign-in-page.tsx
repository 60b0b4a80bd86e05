import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { ApiProblem } from '../../api/problem.ts'
import { Logo } from '../../app/logo.tsx'
import { usePageTitle } from '../../app/page-title.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { problemWords } from '../../words/problem-words.ts'

const route = getRouteApi('/sign-in')

/** The door: an API key of the account, or the operator's token, is exchanged for a session. */
export function SignInPage() {
  const { next } = route.useSearch()
  const { call, credentials } = useApi()
  const queries = useQueryClient()
  const router = useRouter()
  const [credential, setCredential] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  usePageTitle('Sign in')

  const signIn = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    try {
      const session = await call('createSession', { body: { credential: credential.trim() } })
      queries.clear()
      credentials.useCookie(session.csrf_token)
      queries.setQueryData(['session'], session)
      setCredential('')
      router.history.push(session.kind === 'operator' && next === undefined ? '/operator' : ownPage(next))
    } catch (cause) {
      setError(wordsFor(cause))
    } finally {
      setBusy(false)
    }
  }
  return (
    <main className="mx-auto flex min-h-dvh max-w-110 flex-col justify-center gap-6 p-6">
      <div className="flex items-center gap-3">
        <Logo portal={null} />
        <h1>Posthorn</h1>
      </div>
      <p className="text-ink-2">
        Signed webhooks for what became of each email. Sign in to see what was sent, and why it failed.
      </p>
      <form onSubmit={event => void signIn(event)} className="space-y-4">
        <TextField
          label="API key, or the operator’s token"
          hint="It is exchanged for a session and kept nowhere on this page."
          type="password"
          name="credential"
          autoComplete="current-password"
          spellCheck={false}
          required
          mono
          value={credential}
          error={error}
          onChange={event => {
            setCredential(event.target.value)
            setError(null)
          }}
        />
        <Button type="submit" kind="primary" busy={busy} className="w-full">
          Sign in
        </Button>
      </form>
    </main>
  )
}

function wordsFor(cause: unknown): string {
  if (cause instanceof ApiProblem && cause.status === 401)
    return 'This is no key of this server, or it was revoked.'
  return problemWords(cause instanceof Error ? cause : new Error(String(cause)))
}

/** Only ever a page of this dashboard: an address that leads elsewhere is not followed. */
function ownPage(next: string | undefined): string {
  return next !== undefined && /^\/(?![/\\])/.test(next) ? next : '/'
}
