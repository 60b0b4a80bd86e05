/**
 * Shows enough of an address for its owner to recognize it, and not enough for anyone else to write to it.
 *
 * @example
 * halfHiddenAddress('ann@example.org') // 'a•••@example.org'
 */
export function halfHiddenAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, Math.max(at, 0))
  // if there is only one character, it would be the whole address
  const first = /^(.)./su.exec(local)?.[1] ?? ''
  return `${first}•••${address.slice(local.length)}`
}
