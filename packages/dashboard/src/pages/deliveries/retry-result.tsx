import { CircleCheck, RotateCw } from 'lucide-react'
import { ActionProblem } from '../../components/action-problem.tsx'
import type { Retry } from './use-retry.ts'

/** The result of a retry, in place. */
export function RetryResult({ retry }: { retry: Retry }) {
  if (retry.error !== null) return <ActionProblem error={retry.error} />
  if (retry.words === null) return null
  const isDelivered = retry.words.startsWith('Tried')
  return (
    <p className={`flex items-start gap-1.5 ${isDelivered ? 'text-delivered' : 'text-failed'}`}>
      {isDelivered ? (
        <CircleCheck size={16} aria-hidden className="mt-0.5 shrink-0" />
      ) : (
        <RotateCw size={16} aria-hidden className="mt-0.5 shrink-0" />
      )}
      {retry.words}
    </p>
  )
}
