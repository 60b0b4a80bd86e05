/** `dlv_01kb3v…q7m2`: the prefix and 6 + 4 characters. */
export function shortId(id: string): string {
  const split = id.indexOf('_') + 1
  const rest = id.slice(split)
  return rest.length <= 12 ? id : `${id.slice(0, split)}${rest.slice(0, 6)}…${rest.slice(-4)}`
}
