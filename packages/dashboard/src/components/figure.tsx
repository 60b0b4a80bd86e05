import type { ReactNode } from 'react'

export interface FigureProps {
  readonly label: string
  /** A link to what the number counts, or a dash. */
  readonly value: ReactNode
  readonly detail: ReactNode
  /** The state of the number, beside it. */
  readonly badge?: ReactNode
  /** A second line of detail, such as the number before. */
  readonly note?: ReactNode
}

/** One important number with its explanation. Its height is the same for any value. */
export function Figure({ label, value, detail, badge, note }: FigureProps) {
  return (
    <div className="min-w-0 rounded border border-line bg-surface px-3 py-3 wide:px-4">
      <dt className="text-label text-ink-3">{label}</dt>
      <dd className="flex flex-wrap items-center gap-x-2 font-serif text-title wide:text-figure">
        <span className="wide:truncate">{value}</span>
        {badge !== undefined && <span className="font-sans text-body">{badge}</span>}
      </dd>
      <dd
        className="min-h-10 text-ink-2 wide:min-h-5 wide:truncate"
        title={typeof detail === 'string' ? detail : undefined}
      >
        {detail}
      </dd>
      {note !== undefined && <dd className="min-h-4 text-label text-ink-3">{note}</dd>}
    </div>
  )
}
