import type { FilterChip } from './filter-bar.tsx'
import { Time } from './time.tsx'
import type { TimeRange } from './time-filter.tsx'

type Change<Name extends string> = (changed: { readonly [Key in Name]?: string | null | undefined }) => void

/** A chip for a filter's value; none while the filter is off. */
export function chosenChip<const Name extends string>(
  name: Name,
  words: string | undefined,
  change: Change<Name>,
): FilterChip[] {
  if (words === undefined) return []
  return [{ name, label: words, onRemove: () => change({ [name]: null } as Parameters<typeof change>[0]) }]
}

/** A chip for a recipient, who is kept in memory only. */
export function recipientChip(recipient: string | null, change: Change<'recipient'>): FilterChip[] {
  if (recipient === null) return []
  const label = <bdi>to {recipient} (not in the link)</bdi>
  return [{ name: 'recipient', label, onRemove: () => change({ recipient: null }) }]
}

/** Chips for a time range, one for each end. */
export function timeChips(range: TimeRange, change: Change<'since' | 'until'>): FilterChip[] {
  return (['since', 'until'] as const).flatMap(name => {
    const at = range[name]
    if (at === undefined) return []
    const label = (
      <>
        {name} <Time at={at} />
      </>
    )
    return [{ name, label, onRemove: () => change({ [name]: null }) }]
  })
}

/** How many values of a filter are chosen. */
export function countIn(chosen: string | undefined): number {
  return chosen === undefined ? 0 : chosen.split(',').length
}

/** The labels of chosen values; an unknown value stays as it is. */
export function among<Value extends string>(
  chosen: string | undefined,
  known: readonly Value[],
  wordOf: (value: Value) => string,
): string | undefined {
  return chosen
    ?.split(',')
    .map(text => {
      const value = known.find(candidate => candidate === text)
      return value === undefined ? text : wordOf(value)
    })
    .join(', ')
}
