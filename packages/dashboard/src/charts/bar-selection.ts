/** Which bars are chosen: where the reader is, and from where the choice goes. Places of bars, oldest first. */
export interface BarSelection {
  readonly at: number
  readonly anchor: number
}

/** What a key does to the choice; null when it is none of ours. `step` is such as `Shift+ArrowRight`. */
export function moveSelection(
  selection: BarSelection | null,
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  count: number,
): BarSelection | null {
  const last = count - 1
  const from = selection?.at ?? null
  const to = ((): number | null => {
    switch (key) {
      case 'ArrowRight':
        return from === null ? last : from + 1
      case 'ArrowLeft':
        return from === null ? last : from - 1
      case 'PageUp':
        return (from ?? last) - 10
      case 'PageDown':
        return (from ?? 0) + 10
      case 'Home':
        return 0
      case 'End':
        return last
      default:
        return null
    }
  })()
  if (to === null || count === 0) return null
  const at = Math.min(last, Math.max(0, to))
  return { at, anchor: shiftKey && selection !== null ? selection.anchor : at }
}

/** The chosen bars, oldest first. */
export function chosenBars<T>(bars: readonly T[], { at, anchor }: BarSelection): T[] {
  return bars.slice(Math.min(at, anchor), Math.max(at, anchor) + 1)
}
