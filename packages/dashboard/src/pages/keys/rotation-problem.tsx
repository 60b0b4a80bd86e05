import { ApiProblem } from '../../api/problem.ts'
import { ActionProblem } from '../../components/action-problem.tsx'

/** What went wrong with a step of the procedure. */
export function RotationProblem({ error }: { error: Error | null }) {
  if (error instanceof ApiProblem && error.code === 'staged_key_limit_reached') {
    return (
      <p role="alert" className="text-exhausted">
        Two replacements are waiting already. Discard one first.
      </p>
    )
  }
  return <ActionProblem error={error} />
}
