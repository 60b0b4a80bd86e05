/**
 * What a mail program shows as the sender of a From field: the display name, or the address if there is none.
 *
 * @example
 * senderName('"Acme, Berlin" <news@acme.example>') // 'Acme, Berlin'
 */
export function senderName(from: string): string {
  const angled = /^(?<name>[^<>]*)<(?<address>[^<>]*)>$/.exec(from.trim())?.groups
  const name = (angled?.['name'] ?? '').trim()
  const quoted = /^"(?<inner>(?:[^"\\]|\\.)*)"$/.exec(name)?.groups?.['inner']
  return (quoted?.replaceAll(/\\(.)/g, '$1') ?? name).trim() || (angled?.['address'] ?? from).trim()
}
