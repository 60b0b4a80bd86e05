import { ApiProblem } from '../../api/problem.ts'
import { ActionProblem } from '../../components/action-problem.tsx'

/** The error of a step in the procedure. */
export function RotationProblem({ error }: { error: Error | null }) {
  if (error instanceof ApiProblem && error.code === 'staged_key_limit_reached') {
    return (
      <p role="alert" className="text-exhausted">
        There are already two replacements. Discard one first.
      </p>
    )
  }
  return <ActionProblem error={error} />
}
