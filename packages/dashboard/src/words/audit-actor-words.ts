import type { AuditEntry } from '@posthorn/contract'
import { shortId } from '../format/short-id.ts'

/** Who acts. Only the audit log names operators. */
type Actor = Omit<AuditEntry['actor'], 'operator'> & Partial<Pick<AuditEntry['actor'], 'operator'>>

/** The actor within a sentence: `key “ci”`, `the operator`. */
export function actorInSentence(actor: Actor, keyNames: ReadonlyMap<string, string>): string {
  const words = auditActorWords(actor, keyNames)
  if (actor.kind === 'operator') return `the ${words.charAt(0).toLowerCase()}${words.slice(1)}`
  return actor.kind === 'system' ? words : `${words.charAt(0).toLowerCase()}${words.slice(1)}`
}

/** The actor: the API key or the operator by name, if known. */
export function auditActorWords(
  { kind, api_key_id: keyId, portal_session_id: portalId, operator }: Actor,
  keyNames: ReadonlyMap<string, string>,
): string {
  switch (kind) {
    case 'operator':
      return operator == null || operator.method === 'admin_token' ? 'Operator' : `Operator ${operator.name}`
    case 'recipient':
      return 'A recipient'
    case 'system':
      return 'Posthorn'
    case 'portal_session':
      return `Portal link ${portalId === null ? '' : shortId(portalId)}`.trim()
    case 'api_key': {
      const known = keyId === null ? undefined : keyNames.get(keyId)
      return known === undefined ? `Key ${keyId === null ? '' : shortId(keyId)}`.trim() : `Key “${known}”`
    }
  }
}
