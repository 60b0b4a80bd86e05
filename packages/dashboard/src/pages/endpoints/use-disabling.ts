import type { AuditEntry, WebhookHealth } from '@posthorn/contract'
import type { Call } from '../../api/call.ts'
import { useLive } from '../../api/use-live.ts'
import { useSession } from '../../app/session.ts'
import { actorInSentence } from '../../words/audit-actor-words.ts'
import type { Disabling } from '../../words/health-words.ts'

/** When and by which actor an endpoint was disabled, from the audit log; nulls if it is enabled or this is unknown. */
export function useDisabling(id: string, health: WebhookHealth | undefined): Disabling {
  const session = useSession()
  const isDisabled = health?.state === 'disabled'
  const { data: entry } = useLive({
    key: ['audit-log', 'disabled', id, health?.disabled_reason],
    load: async (call, signal) => await findDisabling(call, id, signal),
    everyMs: null,
    enabled: isDisabled,
  })
  const names = useLive({
    key: ['api-key-names'],
    load: async (call, signal) => await call('listOwnApiKeys', { query: { limit: 250 }, signal }),
    everyMs: null,
    enabled: isDisabled && entry?.actor.kind === 'api_key',
  })
  const stopped = health?.warnings.find(({ code }) => code === 'disabled_failing' || code === 'disabled_gone')
  if (entry === undefined || entry === null) return { at: stopped?.since ?? null, by: null }
  const keyNames = new Map(names.data?.data.map(key => [key.id, key.name]))
  const isOwn = entry.actor.portal_session_id === session.id
  return { at: entry.at, by: isOwn ? 'you' : actorInSentence(entry.actor, keyNames) }
}

async function findDisabling(call: Call, id: string, signal: AbortSignal): Promise<AuditEntry | null> {
  const { data } = await call('listAuditLog', {
    query: { target: id, action: ['webhook.updated', 'webhook.created', 'webhook.disabled'], limit: 100 },
    signal,
  })
  const isDisabling = ({ before, after }: AuditEntry): boolean =>
    before?.['status'] !== 'disabled' && after?.['status'] === 'disabled'
  return data.find(isDisabling) ?? null
}
