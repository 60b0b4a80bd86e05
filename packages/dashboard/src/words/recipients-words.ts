/** `ann@example.org`, or `ann@example.org +2`; a dash if no recipient is known any more. */
export function recipientsWords(to: readonly string[]): string {
  const [first, ...more] = to
  if (first === undefined) return '—'
  if (isErased(first)) return 'erased'
  return more.length === 0 ? first : `${first} +${more.length}`
}

/** Whether the address is the placeholder of an erased one. */
export function isErased(recipient: string): boolean {
  return recipient === 'erased@erased.invalid'
}
