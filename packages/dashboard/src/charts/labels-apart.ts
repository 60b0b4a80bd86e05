/**
 * Moves overlapping labels apart by as little as possible and keeps their order.
 * @param wantedPx the ideal position of each label, from the top
 */
export function apartPx(
  wantedPx: readonly number[],
  { gapPx, mostPx }: { readonly gapPx: number; readonly mostPx: number },
): number[] {
  const order = wantedPx.map((px, place) => ({ px, place })).toSorted((a, b) => a.px - b.px)
  let above = Number.NEGATIVE_INFINITY
  for (const label of order) {
    label.px = Math.max(label.px, above + gapPx)
    above = label.px
  }
  let below = mostPx + gapPx
  for (const label of order.toReversed()) {
    label.px = Math.min(label.px, below - gapPx)
    below = label.px
  }
  return order.toSorted((a, b) => a.place - b.place).map(label => label.px)
}
