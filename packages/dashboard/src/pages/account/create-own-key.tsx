import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { useSession } from '../../app/session.ts'
import { CreateKeyDialog } from '../../components/create-key-dialog.tsx'
import { Time } from '../../components/time.tsx'

/** Creates a key with no scope or expiry beyond the reader's own. */
export function CreateOwnKey({ onClose }: { onClose: () => void }) {
  const { call } = useApi()
  const queries = useQueryClient()
  const { kind, scopes, keys_expire_by: expireBy } = useSession()
  const owner = kind === 'portal' ? 'portal link' : 'key'
  return (
    <CreateKeyDialog
      title="Create an API key"
      limits={{
        scopes,
        scopeReason: `Not offered, because your ${owner} does not have it.`,
        expireBy,
        ...(expireBy !== null && {
          expiryReason: (
            <>
              By <Time at={expireBy} relative /> at the latest:{' '}
              {kind === 'portal' ? 'your portal link allows no later date.' : 'your own key expires then.'}
            </>
          ),
        }),
      }}
      create={async body => (await call('createOwnApiKey', { body })).api_key}
      onCreated={() => {
        void queries.invalidateQueries({ queryKey: ['api-keys'] })
        void queries.invalidateQueries({ queryKey: ['api-key-names'] })
        void queries.invalidateQueries({ queryKey: ['audit-log'] })
      }}
      onClose={onClose}
    />
  )
}
