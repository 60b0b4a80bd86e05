import type { ReactNode } from 'react'

/** The name of a half of the overview, with what to know about its numbers. */
export function SectionTitle({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="mb-3 flex flex-wrap items-baseline gap-x-3">
      <h2 className="font-serif text-title font-medium">{title}</h2>
      {children !== undefined && <p className="text-label text-ink-3">{children}</p>}
    </div>
  )
}
