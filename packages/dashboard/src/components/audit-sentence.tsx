import type { AuditEntry } from '@posthorn/contract'
import { auditChanges } from '../words/audit-changes.ts'
import { auditWords } from '../words/audit-words.ts'
import { TextLink } from './text-link.tsx'
import { Time } from './time.tsx'

export interface AuditSentenceProps {
  readonly entry: AuditEntry
  /** In the account's own log, the changed object is a link. */
  readonly isOwn: boolean
}

/** What the actor did, with old and new values below. */
export function AuditSentence({ entry, isOwn }: AuditSentenceProps) {
  const endpoint = endpointOf(entry)
  const changes = auditChanges(entry)
  return (
    <>
      <div className="break-words">
        {auditWords(entry)}
        {isOwn && endpoint !== null && (
          <>
            {' '}
            <TextLink
              to={endpoint.isKey ? '/endpoints/$id/keys' : '/endpoints/$id'}
              params={{ id: endpoint.id }}
            >
              Open<span className="sr-only"> the endpoint</span>
            </TextLink>
          </>
        )}
      </div>
      {changes.length > 0 && (
        <dl className="text-label text-ink-2">
          {changes.map(({ label, before, after }) => (
            <div key={label} className="break-words">
              <dt className="inline">{label}:</dt>{' '}
              <dd className="inline">
                <del className="text-ink-3">
                  <Value text={before} />
                </del>{' '}
                →{' '}
                <ins className="no-underline">
                  <Value text={after} />
                </ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}

/** A value as text, and a moment as everywhere else. */
function Value({ text }: { text: string }) {
  return isMoment.test(text) ? <Time at={text} /> : <bdi>{text}</bdi>
}

const isMoment = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** The endpoint of an entry, unless it was deleted. */
function endpointOf({ action, target, after }: AuditEntry): { id: string; isKey: boolean } | null {
  if (action === 'webhook.deleted') return null
  if (target.startsWith('wh_')) return { id: target, isKey: false }
  const ofKey = after?.['webhook_id']
  return target.startsWith('whk_') && typeof ofKey === 'string' ? { id: ofKey, isKey: true } : null
}
