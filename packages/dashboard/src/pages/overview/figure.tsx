import type { ReactNode } from 'react'

export interface FigureProps {
  readonly label: string
  /** A link to what it counts, or a dash. */
  readonly value: ReactNode
  readonly detail: ReactNode
}

/** One number that matters, with what stands behind it. Its height does not depend on either. */
export function Figure({ label, value, detail }: FigureProps) {
  return (
    <div className="min-w-0 rounded border border-line bg-surface px-4 py-3">
      <dt className="text-label text-ink-3">{label}</dt>
      <dd className="truncate font-serif text-figure">{value}</dd>
      <dd className="min-h-5 truncate text-ink-2">{detail}</dd>
    </div>
  )
}
