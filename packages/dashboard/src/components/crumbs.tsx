import { Children, type ReactNode } from 'react'

/** The parent pages, and the page's id at the end. A slash stays with what follows it, so no line ends with one. */
export function Crumbs({ children }: { children: ReactNode }) {
  return (
    <ol className="flex flex-wrap items-center gap-x-1.5">
      {Children.toArray(children).map((crumb, place) => (
        // crumbs have no identity but their place
        <li key={place} className="inline-flex min-w-0 items-center gap-x-1.5">
          {place > 0 && <span aria-hidden>/</span>}
          {crumb}
        </li>
      ))}
    </ol>
  )
}
