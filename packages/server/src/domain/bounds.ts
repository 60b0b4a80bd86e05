/** The positions, counted from one, where consecutive pieces of these lengths begin, and where the last one ends. */
export function boundsOf(lengths: readonly number[]): number[] {
  const bounds = [1]
  let next = 1
  for (const length of lengths) bounds.push((next += length))
  return bounds
}
