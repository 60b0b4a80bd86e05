import type { SigningKey } from '@posthorn/contract'
import { useMemo } from 'react'
import { useLive } from '../../api/use-live.ts'
import { actorInSentence } from '../../words/audit-actor-words.ts'

/** Who created, promoted or discarded a key: ` by key “ci”`, or nothing if the audit log does not say. */
export type ByWhom = (key: SigningKey, action: 'staged' | 'promoted' | 'retired') => string

/** Loads who changed these keys from the audit log, again after every change. */
export function useKeyActors(id: string, keys: readonly SigningKey[]): ByWhom {
  const changes = keys.map(key => key.key_id + key.state).join()
  const log = useLive({
    key: ['audit-log', 'signing-keys', id, changes],
    load: async (call, signal) =>
      await call('listAuditLog', {
        query: { action: ['signing_key.staged', 'signing_key.promoted', 'signing_key.retired'], limit: 250 },
        signal,
      }),
    everyMs: null,
  })
  const names = useLive({
    key: ['api-key-names'],
    load: async (call, signal) => await call('listOwnApiKeys', { query: { limit: 250 }, signal }),
    everyMs: null,
  })
  return useMemo(() => {
    const keyNames = new Map(names.data?.data.map(key => [key.id, key.name]))
    return (key, action) => {
      const entry = log.data?.data.find(
        one => one.target === key.key_id && one.action === `signing_key.${action}`,
      )
      return entry === undefined ? '' : ` by ${actorInSentence(entry.actor, keyNames)}`
    }
  }, [log.data, names.data])
}
