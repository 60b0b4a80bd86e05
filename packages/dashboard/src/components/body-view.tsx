import { useMemo, useState } from 'react'
import { countOf } from '../format/numbers.ts'
import { indentJson, type JsonToken, type JsonTokenKind, jsonTokens } from '../format/json-tokens.ts'
import { visibleText } from '../format/visible-text.ts'
import { CopyButton } from './copy-button.tsx'
import { Segments } from './segments.tsx'

export interface BodyViewProps {
  /** The accessible name: `body of the event`. */
  readonly what: string
  readonly body: string
  /** A remark beside the size, for example that the body was cut. */
  readonly note?: string | undefined
}

/** A body as text: formatted if it is JSON, and as exact bytes. */
export function BodyView({ what, body, note }: BodyViewProps) {
  const tokens = useMemo(() => jsonTokens(body), [body])
  const [exact, setExact] = useState(false)
  const shown = tokens !== null && !exact ? indentJson(tokens) : null
  return (
    <div className="space-y-1.5">
      <div className="no-print flex flex-wrap items-center gap-3">
        {tokens !== null && (
          <Segments
            label={`How to show the ${what}`}
            value={exact ? 'exact' : 'formatted'}
            options={[
              { value: 'formatted', label: 'Formatted' },
              { value: 'exact', label: 'Exact bytes' },
            ]}
            onChange={value => setExact(value === 'exact')}
          />
        )}
        <CopyButton text={body} what={what} label="Copy exact bytes" />
        <span className="text-label text-ink-3">
          {countOf(new TextEncoder().encode(body).length, 'byte', 'bytes')}
          {note !== undefined && ` · ${note}`}
        </span>
      </div>
      <pre
        tabIndex={0}
        role="region"
        aria-label={what}
        className="max-h-120 overflow-auto rounded border border-line bg-sunken p-3 break-words whitespace-pre-wrap"
      >
        {shown === null ? visibleText(body) : shown.map(coloured)}
      </pre>
    </div>
  )
}

function coloured({ kind, text }: JsonToken, place: number) {
  const look = looks[kind]
  // tokens have no identity but their place
  return look === '' ? (
    visibleText(text)
  ) : (
    <span key={place} className={look}>
      {visibleText(text)}
    </span>
  )
}

const looks: Record<JsonTokenKind, string> = {
  key: 'text-pending',
  string: 'text-delivered',
  number: 'text-failed',
  word: 'text-failed',
  mark: 'text-ink-3',
  space: '',
}
