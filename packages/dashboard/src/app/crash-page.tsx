import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { PageHeader } from '../components/page-header.tsx'
import { Problem } from '../components/problem.tsx'
import { usePageTitle } from './page-title.ts'

/** A page that could not be shown at all. */
export function CrashPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  usePageTitle('Problem')
  return (
    <div className="p-6">
      <PageHeader title="This page could not be shown" />
      <Problem
        error={error instanceof Error ? error : new Error(String(error))}
        onRetry={() => {
          reset()
          void router.invalidate()
        }}
      />
    </div>
  )
}
