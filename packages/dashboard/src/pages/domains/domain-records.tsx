import type { DomainRecord, DomainRecordState } from '@posthorn/contract'
import { CircleCheck, CircleDashed, CircleQuestionMark, OctagonX, TriangleAlert } from 'lucide-react'
import { Badge, type BadgeLook } from '../../components/badge.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { visibleText } from '../../format/visible-text.ts'
import { recordPurposeWords, recordStateWords } from '../../words/domain-words.ts'

/** The records to publish in the DNS, each with what we found there. */
export function DomainRecords({ records }: { records: readonly DomainRecord[] }) {
  return (
    <section aria-labelledby="records" className="space-y-3">
      <h2 id="records">DNS records</h2>
      <p className="text-ink-2">
        Some DNS panels add the domain to the name automatically. Leave it out there, or it appears twice.
      </p>
      {records.map(record => (
        <OneRecord key={record.purpose} record={record} />
      ))}
    </section>
  )
}

function OneRecord({ record }: { record: DomainRecord }) {
  const { purpose, required, type, name, value, why, state, found, message } = record
  const words = recordPurposeWords[purpose]
  return (
    <article aria-label={words} className="space-y-2 rounded border border-line bg-surface p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3>{words}</h3>
        <RecordBadge state={state} />
        <span className="text-ink-3">{required ? 'required' : 'recommended'}</span>
      </div>
      <p className="text-ink-2">{why}</p>
      {message !== null && <p className={state === 'right' ? 'text-ink-2' : 'font-medium'}>{message}</p>}
      <dl className="grid grid-cols-[7rem_minmax(0,1fr)] items-start gap-x-4 gap-y-2 max-wide:grid-cols-1 max-wide:gap-y-1">
        <dt className="py-1 text-ink-3 max-wide:py-0">Type</dt>
        <dd className="py-1 font-mono text-code max-wide:py-0">{type}</dd>
        <RecordField name="Name" value={name} what={`name of the ${words} record`} />
        <RecordField name="Value" value={value} what={`value of the ${words} record`} />
        {found.length > 0 && (
          <>
            <dt className="py-1 text-ink-3 max-wide:py-0">{state === 'right' ? 'Found' : 'Found instead'}</dt>
            <dd className="space-y-1 py-1 max-wide:py-0">
              {found.map((text, place) => (
                // values have no identity but their place
                <code key={place} className="block wrap-anywhere text-exhausted">
                  {visibleText(text)}
                </code>
              ))}
            </dd>
          </>
        )}
      </dl>
    </article>
  )
}

const looks: Record<DomainRecordState, BadgeLook> = {
  unchecked: { icon: CircleDashed, look: 'bg-pending-tint text-pending' },
  right: { icon: CircleCheck, look: 'bg-delivered-tint text-delivered' },
  missing: { icon: TriangleAlert, look: 'bg-failed-tint text-failed' },
  wrong: { icon: OctagonX, look: 'bg-exhausted-tint text-exhausted' },
  failed: { icon: CircleQuestionMark, look: 'bg-sunken text-ink-2' },
}

/** What the last check found in the DNS, as icon, word and colour. */
function RecordBadge({ state }: { state: DomainRecordState }) {
  return <Badge {...looks[state]}>{recordStateWords[state]}</Badge>
}

interface RecordFieldProps {
  readonly name: string
  readonly value: string
  /** The name of the copied text: `value of the DKIM key record`. */
  readonly what: string
}

/** One field of a DNS record: whole, wrapped, with a copy button. */
function RecordField({ name, value, what }: RecordFieldProps) {
  return (
    <>
      <dt className="py-1 text-ink-3 max-wide:py-0">{name}</dt>
      <dd className="flex items-start gap-1">
        <code data-copy-source className="min-w-0 flex-1 rounded bg-sunken px-2 py-1 wrap-anywhere">
          {value}
        </code>
        <CopyButton text={value} what={what} />
      </dd>
    </>
  )
}
