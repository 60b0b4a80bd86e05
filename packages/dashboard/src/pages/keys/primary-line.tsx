import type { SigningKey } from '@posthorn/contract'
import { Time } from '../../components/time.tsx'
import { secretStart } from './secret-start.ts'

/** The secret that signs, since when, and when the receiver last verified it. */
export function PrimaryLine({ primary }: { primary: SigningKey }) {
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
