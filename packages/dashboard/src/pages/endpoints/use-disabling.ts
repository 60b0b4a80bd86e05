import type { AuditEntry, WebhookHealth } from '@posthorn/contract'
import type { Call } from '../../api/call.ts'
import { useLive } from '../../api/use-live.ts'
import { useSession } from '../../app/session.ts'
import type { Disabling } from '../../words/health-words.ts'

/** When an endpoint was disabled and by whom, from the audit log; nulls while it is not, or while that is not known. */
export function useDisabling(id: string, health: WebhookHealth | undefined): Disabling {
  const session = useSession()
  const { data } = useLive({
    key: ['disabling', id, health?.disabled_reason],
    load: async call => await findDisabling(call, id, session.id),
    everyMs: null,
    enabled: health?.state === 'disabled',
  })
  const stopped = health?.warnings.find(({ code }) => code === 'disabled_failing' || code === 'disabled_gone')
  return data ?? { at: stopped?.since ?? null, by: null }
}

async function findDisabling(call: Call, id: string, sessionId: string): Promise<Disabling> {
  const { data } = await call('listAuditLog', {
    query: { target: id, action: ['webhook.updated', 'webhook.created', 'webhook.disabled'], limit: 100 },
  })
  const entry = data.find(
    ({ before, after }) => before?.['status'] !== 'disabled' && after?.['status'] === 'disabled',
  )
  return entry === undefined ? { at: null, by: null } : { at: entry.at, by: nameOf(entry.actor, sessionId) }
}

function nameOf(actor: AuditEntry['actor'], sessionId: string): string | null {
  if (actor.kind === 'operator') return 'the operator'
  if (actor.kind === 'portal_session')
    return actor.portal_session_id === sessionId ? 'you' : 'somebody in the portal'
  if (actor.kind === 'system' || actor.api_key_id === null) return null
  return 'an API key'
}
