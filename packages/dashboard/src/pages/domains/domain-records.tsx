import type { DomainRecord } from '@posthorn/contract'
import { visibleText } from '../../format/visible-text.ts'
import { recordPurposeWords } from '../../words/domain-words.ts'
import { RecordBadge } from './record-badge.tsx'
import { RecordField } from './record-field.tsx'

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
