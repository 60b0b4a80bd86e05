import type { ReactNode } from 'react'
import { TextLink } from '../components/text-link.tsx'
import type { Bucket } from './buckets.ts'
import { useChartScope } from './chart-scope.ts'
import { type WindowList, windowOf } from './window.ts'

export interface WindowLinkProps {
  readonly opens: WindowList
  readonly bars: readonly Bucket[]
  readonly children: ReactNode
}

/** A link to the rows of some bars. */
export function WindowLink({ opens, bars, children }: WindowLinkProps) {
  const scope = useChartScope()
  const search = windowOf(bars)
  return opens === 'events' ? (
    <TextLink to="/events" search={search}>
      {children}
    </TextLink>
  ) : (
    <TextLink to="/deliveries" search={{ ...scope, ...search }}>
      {children}
    </TextLink>
  )
}
