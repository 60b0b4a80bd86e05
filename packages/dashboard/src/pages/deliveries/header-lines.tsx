import { visibleText } from '../../format/visible-text.ts'

/** The headers of a request or an answer, as text. */
export function HeaderLines({
  first,
  headers,
}: {
  first: string
  headers: Readonly<Record<string, string>>
}) {
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
