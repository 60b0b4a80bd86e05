/** Where each of several pieces begins that are laid end to end, counted from one, and where the next one would. */
export function boundsOf(lengths: readonly number[]): number[] {
  const bounds = [1]
  let next = 1
  for (const length of lengths) bounds.push((next += length))
  return bounds
}
