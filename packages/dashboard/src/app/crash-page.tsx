import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { PageHeader } from '../components/page-header.tsx'
import { Problem } from '../components/problem.tsx'
import { usePageTitle } from './page-title.ts'

/** Shown when a page fails to render. */
export function CrashPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  usePageTitle('Problem')
  return (
    <div className="p-6">
      <PageHeader title="This page failed to load" />
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
