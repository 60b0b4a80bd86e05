import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { Unlink } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useApi } from '../../api/api-context.ts'
import { ApiProblem } from '../../api/problem.ts'
import { hostOrigin, isFramed } from '../../app/frame.ts'
import { ownPage } from '../../app/own-page.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { Problem } from '../../components/problem.tsx'
import { providerWords } from '../../words/provider-words.ts'
import { HttpsNeeded } from './https-needed.tsx'
import { openPortalLink } from './open-portal-link.ts'

const route = getRouteApi('/portal/$portalSessionId')

/** Exchanges a portal link's secret for a session, once, and opens the overview. */
export function PortalPage() {
  const { portalSessionId: id } = route.useParams()
  const { path } = route.useSearch()
  const { visit } = route.useRouteContext()
  const api = useApi()
  const queries = useQueryClient()
  const router = useRouter()
  const { mutate: open, error } = useMutation({
    mutationFn: async () => {
      await openPortalLink({ api, queries }, { id, token: visit.portalToken }, isFramed())
      router.history.replace(ownPage(path, '/'))
    },
  })
  // the link works once, and in development effects run twice, so the second exchange would be refused
  const hasBegun = useRef(false)
  usePageTitle('Portal')

  useEffect(() => {
    if (!hasBegun.current) open()
    hasBegun.current = true
  }, [open])
  useEffect(() => {
    // pasting a link over this page changes only the fragment, which reloads nothing
    const reload = (): void => window.location.reload()
    window.addEventListener('hashchange', reload)
    return () => window.removeEventListener('hashchange', reload)
  }, [])

  return (
    <main className="mx-auto flex min-h-dvh max-w-110 flex-col justify-center gap-4 p-6">
      {error === null ? (
        <p role="status" className="text-ink-2">
          Opening…
        </p>
      ) : (
        <Refused error={error} onRetry={() => open()} />
      )}
    </main>
  )
}

function Refused({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const code = error instanceof ApiProblem ? error.code : null
  if (code === 'https_required') return <HttpsNeeded advice={error.message} />
  const canWork = !(error instanceof ApiProblem) || error.status === 429 || error.status >= 500
  return canWork ? <Problem error={error} onRetry={onRetry} /> : <LinkEnded />
}

/** A portal link that does not work: used, expired, revoked, or incomplete. */
function LinkEnded() {
  const provider = providerWords(undefined, isFramed() ? hostOrigin() : null)
  return (
    <div role="alert" className="space-y-3">
      <Unlink size={24} aria-hidden className="text-ink-3" />
      <h1>This link does not work</h1>
      <p>This link was already used or has expired. Ask {provider} for a new one.</p>
    </div>
  )
}
