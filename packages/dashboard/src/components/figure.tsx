import type { ReactNode } from 'react'

export interface FigureProps {
  readonly label: string
  /** A link to what the number counts, or a dash. */
  readonly value: ReactNode
  readonly detail: ReactNode
}

/** One important number with its explanation. Its height is the same for any value. */
export function Figure({ label, value, detail }: FigureProps) {
  return (
    <div className="min-w-0 rounded border border-line bg-surface px-3 py-3 wide:px-4">
      <dt className="text-label text-ink-3">{label}</dt>
      <dd className="font-serif text-title wide:truncate wide:text-figure">{value}</dd>
      <dd className="min-h-10 text-ink-2 wide:min-h-5 wide:truncate">{detail}</dd>
    </div>
  )
}
