import type { SigningKey } from '@posthorn/contract'
import { useWebhook } from '../../api/use-webhook.ts'
import { useMayChange } from '../../app/session.ts'
import { Problem } from '../../components/problem.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Time } from '../../components/time.tsx'
import { KeyHistoryList } from './key-history-list.tsx'
import { RotationProcedure } from './rotation-procedure.tsx'
import { rotationOf } from './rotation.ts'
import { secretStart } from './secret-start.ts'
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

/** The secret that signs, since when, and when the receiver last verified it. */
function PrimaryLine({ primary }: { primary: SigningKey }) {
  return (
    <p className="max-w-none">
      Primary <code className="font-medium">{secretStart(primary)}</code> signs as{' '}
      <code>{primary.signature_name}</code> · since <Time at={primary.promoted_at ?? primary.created_at} /> ·{' '}
      {primary.last_verified_at === null ? (
        <span className="text-ink-2">
          your receiver has not reported yet that it verifies with this secret
        </span>
      ) : (
        <>
          last verified <Time at={primary.last_verified_at} relative />
        </>
      )}
    </p>
  )
}
