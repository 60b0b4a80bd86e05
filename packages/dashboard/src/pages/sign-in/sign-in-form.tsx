import type { Session } from '@posthorn/contract'
import { type FormEvent, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { ApiProblem } from '../../api/problem.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { misplacedSecretWords, signInWords } from '../../words/sign-in-words.ts'
import { HttpsNeeded } from './https-needed.tsx'

export interface SignInFormProps {
  readonly onSignedIn: (session: Session) => void
}

/** Exchanges an API key, or the operator's token, for a session. The page does not keep the credential. */
export function SignInForm({ onSignedIn }: SignInFormProps) {
  const { call } = useApi()
  const [credential, setCredential] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [httpsAdvice, setHttpsAdvice] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const signIn = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (busy) return
    const given = credential.trim()
    const misplaced = misplacedSecretWords(given)
    if (misplaced !== null) return setError(misplaced)
    setBusy(true)
    try {
      const session = await call('createSession', { body: { credential: given } })
      setCredential('')
      onSignedIn(session)
    } catch (cause) {
      if (cause instanceof ApiProblem && cause.code === 'https_required') setHttpsAdvice(cause.message)
      else setError(signInWords(cause))
    } finally {
      setBusy(false)
    }
  }
  if (httpsAdvice !== null) return <HttpsNeeded advice={httpsAdvice} />
  return (
    <form onSubmit={event => void signIn(event)} className="space-y-4">
      <TextField
        label="API key, or the operator’s token"
        hint="We exchange it for a session and do not keep it on this page."
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
  )
}
