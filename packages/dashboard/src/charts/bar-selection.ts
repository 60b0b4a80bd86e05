/** The selected bars: the current one and the one where the selection started. Indexes start at the oldest bar. */
export interface BarSelection {
  readonly at: number
  readonly anchor: number
}

/** The selection after a key; null for other keys. `step` is a key such as `Shift+ArrowRight`. */
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

/** The selected bars, oldest first. */
export function chosenBars<T>(bars: readonly T[], { at, anchor }: BarSelection): T[] {
  return bars.slice(Math.min(at, anchor), Math.max(at, anchor) + 1)
}
