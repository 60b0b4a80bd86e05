import type { Attempt, Delivery, Webhook } from '@posthorn/contract'
import { useEffect, useState } from 'react'
import { useNowMs } from '../../app/clock.ts'
import { useSession } from '../../app/session.ts'
import { stateWords } from '../../components/state-badge.tsx'
import { formatCount, formatDuration } from '../../format/numbers.ts'
import { formatWhole } from '../../format/times.ts'
import { attemptResult } from '../../words/attempt-words.ts'
import { deliveryVerdict } from '../../words/delivery-verdict.ts'

export interface PrintedEvidenceProps {
  readonly delivery: Delivery
  readonly endpoint: Webhook | undefined
  readonly body: string | null
}

/** The printed page of a delivery: evidence in UTC, with hashes instead of contents, and nothing secret. */
export function PrintedEvidence({ delivery, endpoint, body }: PrintedEvidenceProps) {
  const nowMs = useNowMs()
  const { retention_days: retentionDays, account } = useSession()
  const verdict = deliveryVerdict({ delivery, endpoint: endpoint ?? null, retentionDays, nowMs })
  const attempts = delivery.attempts ?? []
  const answered = attempts.findLast(({ response_body: text }) => text !== null)
  const bodyHash = useSha256(body)
  const answerHash = useSha256(answered?.response_body ?? null)
  const facts: [string, string | null][] = [
    ['Account', account?.name ?? null],
    ['Event', `${delivery.event.type} ${delivery.event_id}`],
    ['To', delivery.event.to.join(', ')],
    ['Email', delivery.event.email_id],
    ['Delivery', `${delivery.id}, sequence ${formatCount(delivery.sequence)}`],
    [
      'Endpoint',
      endpoint === undefined ? delivery.webhook_id : `${delivery.webhook_id} ${withoutQuery(endpoint.url)}`,
    ],
    ['Created', utc(delivery.created_at)],
    ['Delivered', delivery.delivered_at === null ? null : utc(delivery.delivered_at)],
    ['SHA-256 of the body', bodyHash],
    [`SHA-256 of the answer to attempt ${answered?.number}, as kept`, answerHash],
  ]
  return (
    <article aria-label="Evidence" className="hidden space-y-4 print:block">
      <h1>
        {stateWords[delivery.state]}: {verdict.headline}
      </h1>
      <p>
        {verdict.facts.map(
          fact => `${fact.map(part => (typeof part === 'string' ? part : utc(part.at))).join('')} `,
        )}
      </p>
      <dl className="grid grid-cols-[12rem_minmax(0,1fr)] gap-x-4 gap-y-1">
        {facts.map(
          ([name, value]) =>
            value !== null &&
            value !== '' && (
              <div key={name} className="contents">
                <dt>{name}</dt>
                <dd className="break-all">{value}</dd>
              </div>
            ),
        )}
      </dl>
      <AttemptTable attempts={attempts} />
      <p className="text-label">Printed {utc(new Date(nowMs).toISOString())} from Posthorn.</p>
    </article>
  )
}

function AttemptTable({ attempts }: { attempts: readonly Attempt[] }) {
  return (
    <table className="w-full text-left">
      <caption className="sr-only">Attempts</caption>
      <thead>
        <tr className="border-b border-ink">
          <th scope="col">#</th>
          <th scope="col">Started</th>
          <th scope="col">Result</th>
          <th scope="col">Duration</th>
          <th scope="col">Verified by the receiver</th>
        </tr>
      </thead>
      <tbody>
        {attempts.map(attempt => (
          <tr key={attempt.id} className="border-b border-line">
            <td>{attempt.number}</td>
            <td>{utc(attempt.started_at)}</td>
            <td>{attemptResult(attempt)}</td>
            <td>{formatDuration(attempt.duration_ms)}</td>
            <td>{attempt.verified_by ?? '—'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function utc(iso: string): string {
  return formatWhole(iso, 'utc')
}

/** The query of a URL may contain a secret of the receiver. */
function withoutQuery(url: string): string {
  return url.replace(/\?.*$/s, '?…')
}

/** The SHA-256 of a text in UTF-8, in hex; null while it is computed, and in browsers without Web Crypto. */
function useSha256(text: string | null): string | null {
  const [hash, setHash] = useState<{ of: string; hex: string } | null>(null)
  useEffect(() => {
    if (text === null || !isSecureContext) return
    let isWanted = true
    void crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)).then(bytes => {
      if (isWanted) setHash({ of: text, hex: toHex(bytes) })
    })
    return () => {
      isWanted = false
    }
  }, [text])
  return hash !== null && hash.of === text ? hash.hex : null
}

function toHex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), byte => byte.toString(16).padStart(2, '0')).join('')
}
