/** `ann@example.org`, or `ann@example.org +2`; a dash when nobody is known any more. */
export function recipientsWords(to: readonly string[]): string {
  const [first, ...more] = to
  if (first === undefined) return '—'
  if (isErased(first)) return 'erased'
  return more.length === 0 ? first : `${first} +${more.length}`
}

/** Whether the address stands for one that was erased. */
export function isErased(recipient: string): boolean {
  return recipient === 'erased@erased.invalid'
}
