import { getRouteApi } from '@tanstack/react-router'
import { PageHeader } from '../../components/page-header.tsx'
import { Problem } from '../../components/problem.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { usePageTitle } from '../../app/page-title.ts'
import { SignatureDebugger } from './signature-debugger.tsx'
import { useKnownKeys } from './use-known-keys.ts'
import { useSentRequest } from './use-sent-request.ts'

const route = getRouteApi('/signed-in/tools/signature')

/** Which rule of a signature fails, and why. It loads all its data before the fields appear. */
export function SignatureDebuggerPage() {
  const { delivery } = route.useSearch()
  const known = useKnownKeys()
  const sent = useSentRequest(delivery)
  if (known.isPending || sent.isPending) return <Opening />
  return (
    <>
      {sent.error !== null && <Problem error={sent.error} onRetry={() => void sent.refetch()} />}
      {delivery !== undefined && sent.data === null && (
        <p className="mb-4 border-l-4 border-control bg-sunken px-4 py-2">
          We cannot fill in this delivery. It has sent no signature yet, or its request was deleted.
        </p>
      )}
      <SignatureDebugger
        key={sent.data?.header ?? ''}
        sent={sent.data ?? null}
        known={known.data === undefined || known.data.length === 0 ? null : known.data}
      />
    </>
  )
}

function Opening() {
  usePageTitle('Signature debugger')
  return (
    <>
      <PageHeader title="Signature debugger" />
      <Skeleton lines={8} />
    </>
  )
}
