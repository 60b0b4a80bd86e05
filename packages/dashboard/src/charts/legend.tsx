import type { ReactNode } from 'react'

/** The legend of a chart, beside its title. */
export function Legend({ children }: { children: ReactNode }) {
  return (
    <ul aria-label="Legend" className="flex flex-wrap gap-x-4 gap-y-1 text-label text-ink-2">
      {children}
    </ul>
  )
}

export interface LegendEntryProps {
  /** Classes that look like the bars: `bg-c-failed`. */
  readonly look: string
  readonly word: string
  /** The number, as a link to its rows. */
  readonly children?: ReactNode
}

/** One kind of bars with its number. */
export function LegendEntry({ look, word, children }: LegendEntryProps) {
  return (
    <li className="inline-flex min-h-6 items-center gap-1.5 pointer-coarse:min-h-11">
      <span aria-hidden className={`size-3 ${look}`} />
      {word} {children}
    </li>
  )
}
