import { useMayChange } from '../../app/session.ts'
import { useWebhook } from '../../api/use-webhook.ts'
import { Problem } from '../../components/problem.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { KeyHistoryList } from './key-history-list.tsx'
import { PrimaryLine } from './primary-line.tsx'
import { rotationOf } from './rotation.ts'
import { RotationProcedure } from './rotation-procedure.tsx'
import { useKeyActors } from './use-key-actors.ts'
import { useSigningKeys } from './use-signing-keys.ts'

/** The signing secret, its replacement, and the history of keys. */
export function SigningKeys({ id }: { id: string }) {
  const mayChange = useMayChange()
  const { webhook } = useWebhook(id)
  const { data: keys, error, refetch, dataUpdatedAt } = useSigningKeys(id)
  const byWhom = useKeyActors(id, keys ?? [])
  if (keys === undefined || webhook === undefined) {
    return error === null ? <Skeleton lines={6} /> : <Problem error={error} onRetry={() => void refetch()} />
  }
  const rotation = rotationOf(keys)
  return (
    <div className="space-y-8">
      {error !== null && <Problem error={error} onRetry={() => void refetch()} readAtMs={dataUpdatedAt} />}
      {rotation.primary !== null && <PrimaryLine primary={rotation.primary} />}
      {(mayChange || rotation.staged.length > 0) && (
        <RotationProcedure webhook={webhook} rotation={rotation} byWhom={byWhom} />
      )}
      <KeyHistoryList keys={keys} byWhom={byWhom} />
    </div>
  )
}
