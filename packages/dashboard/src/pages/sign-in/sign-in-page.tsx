import type { Session } from '@posthorn/contract'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useApi } from '../../api/api-context.ts'
import { adoptSession } from '../../app/adopt-session.ts'
import { Logo } from '../../app/logo.tsx'
import { ownPage } from '../../app/own-page.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { signInProblemWords } from '../../words/sign-in-words.ts'
import { ProxySignIn } from './proxy-sign-in.tsx'
import { SignInForm } from './sign-in-form.tsx'

const route = getRouteApi('/sign-in')

/** The sign-in page: what this server is, and a field for the credential. */
export function SignInPage() {
  const { next, problem } = route.useSearch()
  const api = useApi()
  const queries = useQueryClient()
  const router = useRouter()
  usePageTitle('Sign in')
  const onSignedIn = (session: Session): void => {
    adoptSession({ api, queries }, session)
    const start = session.kind === 'operator' ? '/operator' : '/'
    router.history.push(ownPage(next, start))
  }
  return (
    <main className="mx-auto flex min-h-dvh max-w-110 flex-col justify-center gap-6 p-6">
      <div className="flex items-center gap-3">
        <Logo portal={null} />
        <h1>Posthorn</h1>
        <code className="ml-auto min-w-0 text-right break-all text-ink-3">{window.location.host}</code>
      </div>
      <p className="text-ink-2">
        This server sends signed webhooks for email outcomes. Sign in to see what was sent, whether it
        arrived, and why not.
      </p>
      {problem !== undefined && <p role="alert">{signInProblemWords[problem]}</p>}
      <ProxySignIn onSignedIn={onSignedIn} />
      <SignInForm onSignedIn={onSignedIn} />
      <details className="text-ink-2">
        <summary className="w-fit text-link">No API key, or lost it?</summary>
        <div className="mt-2 space-y-2">
          <p>
            API keys start with <code>phk_</code> and are shown once. Ask the operator of this server for a
            new one.
          </p>
          <p>
            For operators: your token is your own, the value of <code>POSTHORN_ADMIN_TOKEN</code>, or it is in
            the file <code>admin-token</code> in the data directory. Sign in with it to create keys.
          </p>
        </div>
      </details>
    </main>
  )
}
