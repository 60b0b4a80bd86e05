import type { Attempt } from '@posthorn/contract'
import { limitWords } from '../../charts/phase-spans.ts'
import { BodyView } from '../../components/body-view.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { visibleText } from '../../format/visible-text.ts'
import { attemptAdvice, attemptHeadline } from '../../words/attempt-words.ts'
import type { EventBody } from './use-event-body.ts'

export interface EvidenceSources {
  readonly url: string | null
  readonly body: EventBody
}

interface AttemptEvidenceProps extends EvidenceSources {
  readonly attempt: Attempt
  /** The result is already shown above. */
  readonly isToldAlready: boolean
}

/** The request and the answer of one attempt, as text. */
export function AttemptEvidence({ attempt, isToldAlready, url, body }: AttemptEvidenceProps) {
  const limit = limitWords(attempt)
  return (
    <div className="space-y-3">
      {!isToldAlready && (
        <p>
          {attemptHeadline(attempt)} <span className="text-ink-2">{attemptAdvice(attempt)}</span>
        </p>
      )}
      <ul className="flex flex-wrap gap-x-6 gap-y-1 text-ink-2">
        <li>{triggers[attempt.trigger]}</li>
        {limit !== null && <li>Limit hit: {limit}</li>}
        {attempt.verified_by !== null && (
          <li>
            Verified by your server: <code>{attempt.verified_by}</code>
          </li>
        )}
      </ul>
      <div className="grid gap-x-6 gap-y-4 desk:grid-cols-2">
        <section className="min-w-0 space-y-2" aria-label="What we sent">
          <h3>What we sent</h3>
          <Sent attempt={attempt} url={url} body={body} />
        </section>
        <section className="min-w-0 space-y-2" aria-label="What came back">
          <h3>What came back</h3>
          <CameBack attempt={attempt} />
        </section>
      </div>
    </div>
  )
}

function Sent({ attempt, url, body }: EvidenceSources & { readonly attempt: Attempt }) {
  if (attempt.request_headers === null) {
    return (
      <p className="text-ink-2">
        {body.isErased
          ? 'The request was erased.'
          : 'Nothing. The attempt ended before we could send the request.'}
      </p>
    )
  }
  return (
    <>
      <HeaderLines first={`POST ${pathOf(url)}`} headers={attempt.request_headers} />
      {body.isErased && <p className="text-ink-2">The body was erased with its recipient.</p>}
      {body.text !== null && !body.isErased && <BodyView what="body that we sent" body={body.text} />}
      {body.isLoading && <Skeleton lines={2} />}
      {body.error !== null && <p className="text-ink-2">The body was deleted because of its age.</p>}
    </>
  )
}

/** The most bytes that we keep of an answer; fewer of a success, because it needs no debugging. */
const keptBytes = { delivered: 512, failed: 8_192 } as const

function CameBack({ attempt }: { attempt: Attempt }) {
  const { status_code: status, response_headers: headers, response_body: text, outcome } = attempt
  if (status === null) return <p className="text-ink-2">No answer.</p>
  const bytes = new TextEncoder().encode(text ?? '').length
  // a character cut in half was dropped
  const isCut = bytes > keptBytes[outcome] - 4
  const cutNote =
    outcome === 'failed' ? 'we keep the first 8 KiB' : 'we keep the first 512 bytes of a success'
  return (
    <>
      <HeaderLines first={String(status)} headers={headers ?? {}} />
      {text === null || text === '' ? (
        <p className="text-ink-2">No body.</p>
      ) : (
        <BodyView what="body of the answer" body={text} note={isCut ? cutNote : undefined} />
      )}
    </>
  )
}

function pathOf(url: string | null): string {
  const parsed = url === null ? null : URL.parse(url)
  return parsed === null ? '' : `${parsed.pathname}${parsed.search}`
}

const triggers = {
  schedule: 'Sent on schedule',
  manual: 'Sent manually: Retry now',
  replay: 'Sent by a replay',
  test: 'A test event',
} as const

/** The headers of a request or an answer, as text. */
function HeaderLines({ first, headers }: { first: string; headers: Readonly<Record<string, string>> }) {
  return (
    <div className="rounded border border-line bg-sunken p-3 font-mono text-code">
      <div className="break-all">{visibleText(first)}</div>
      <dl>
        {Object.entries(headers).map(([name, value]) => (
          <div key={name} className="break-all">
            <dt className="inline text-ink-3">{visibleText(name)}: </dt>
            <dd className="inline">{visibleText(value)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
