import { useEffect, useRef } from 'react'
import type { Rows } from '../api/use-rows.ts'
import { announce } from '../app/announce.ts'
import { countOf } from '../format/numbers.ts'

/** How many rows a list shows, without counting the rest: `50 or more deliveries`. */
export function foundWords({ pages, hasOlder }: Rows<unknown>, one: string, many: string): string {
  const found = countOf(
    pages.reduce((sum, page) => sum + page.length, 0),
    one,
    many,
  )
  return hasOlder ? found.replace(' ', ' or more ') : found
}

/** Announces what the filters found, once for each change of filters. */
export function useAnnouncedFind(filterKey: string, found: string | null): void {
  const said = useRef(filterKey)
  useEffect(() => {
    if (found === null || said.current === filterKey) return
    said.current = filterKey
    announce(`${found} found`)
  }, [filterKey, found])
}
