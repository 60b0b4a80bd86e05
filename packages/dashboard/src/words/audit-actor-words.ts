import type { AuditEntry } from '@posthorn/contract'
import { shortId } from '../format/short-id.ts'

/** The actor within a sentence: `key “ci”`, `the operator`. */
export function actorInSentence(actor: AuditEntry['actor'], keyNames: ReadonlyMap<string, string>): string {
  const words = auditActorWords(actor, keyNames)
  if (actor.kind === 'operator') return 'the operator'
  return actor.kind === 'system' ? words : `${words.charAt(0).toLowerCase()}${words.slice(1)}`
}

/** The actor: the API key by its name, if known. */
export function auditActorWords(
  { kind, api_key_id: keyId, portal_session_id: portalId }: AuditEntry['actor'],
  keyNames: ReadonlyMap<string, string>,
): string {
  switch (kind) {
    case 'operator':
      return 'Operator'
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
