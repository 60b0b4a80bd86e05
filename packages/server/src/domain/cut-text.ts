/**
 * The beginning of a text, without half of a surrogate pair at its end.
 *
 * @param lengthMax in UTF-16 code units
 * @example
 * cutText('ab😀', 3) // 'ab'
 */
export function cutText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text
  const last = text.charCodeAt(lengthMax - 1)
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, isHighSurrogate ? lengthMax - 1 : lengthMax)
}
