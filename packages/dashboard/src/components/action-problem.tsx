import { TriangleAlert } from 'lucide-react'
import { problemWords } from '../words/problem-words.ts'

/** The error of an action, shown beside its button. */
export function ActionProblem({ error }: { error: Error | null }) {
  if (error === null) return null
  return (
    <p role="alert" className="flex items-start gap-1.5 text-exhausted">
      <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
      {problemWords(error)}
    </p>
  )
}
