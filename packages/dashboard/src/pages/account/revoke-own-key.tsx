import type { ApiKey } from '@posthorn/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { useNowMs } from '../../app/clock.ts'
import { useSession } from '../../app/session.ts'
import { RevokeKeyDialog } from '../../components/revoke-key-dialog.tsx'
import { isLastManager, keysCreatedBy } from '../../words/own-keys.ts'

export interface RevokeOwnKeyProps {
  readonly apiKey: ApiKey
  /** The loaded keys of the account. */
  readonly keys: readonly ApiKey[]
  readonly onClose: () => void
}

/** Asks before a key is revoked, and warns of what the reader may not expect. */
export function RevokeOwnKey({ apiKey, keys, onClose }: RevokeOwnKeyProps) {
  const { call } = useApi()
  const queries = useQueryClient()
  const nowMs = useNowMs()
  const isOwn = useSession().api_key_id === apiKey.id
  const children = keysCreatedBy(apiKey, keys, nowMs)
  return (
    <RevokeKeyDialog
      apiKey={apiKey}
      revoke={async () => await call('revokeOwnApiKey', { params: { id: apiKey.id } })}
      onRevoked={() => {
        void queries.invalidateQueries({ queryKey: ['api-keys'] })
        void queries.invalidateQueries({ queryKey: ['audit-log'] })
      }}
      onClose={onClose}
    >
      {isOwn && <p>You are signed in with this key, so you will be signed out.</p>}
      {children.length > 0 && (
        <p>
          It created {children.length === 1 ? 'a key that keeps' : `${children.length} keys that keep`}{' '}
          working: {children.map(({ name }) => name).join(', ')}. If this key leaked, revoke{' '}
          {children.length === 1 ? 'that one' : 'those'} too.
        </p>
      )}
      {isLastManager(apiKey, keys, nowMs) && (
        <p>It is the last key that can manage keys. Afterwards, only the operator can create a key.</p>
      )}
    </RevokeKeyDialog>
  )
}
