/**
 * The token of a return path (`bounces+<token>@…`); null for any other address. In lower case, because some mail
 * servers change the case of what they send back. What a mail server on the way wrapped around the local part is taken
 * off: BATV (`prvs=0123456789=bounces+…`), SRS (`SRS0=hash=time=domain=bounces+…`) and their like.
 */
export function returnPathToken(address: string): string | null {
  return tokenIn(address, 'bounces')
}

/** The token of an address to unsubscribe (`unsub+<token>@…`), wrapped or not; null for any other. */
export function unsubscribeToken(address: string): string | null {
  return tokenIn(address, 'unsub')
}

/** Every return path that a text names, each once. They prove nothing before their tokens are verified. */
export function returnPathsIn(text: string): string[] {
  const found = text.match(/\bbounces\+[0-9a-z]{53}(?:\/[\w-]{1,32})?@[a-z0-9.-]{1,255}/gi) ?? []
  return [...new Set(found)].slice(0, 20)
}

/** Every token to unsubscribe that a text names, in an address or in a link. */
export function unsubscribeTokensIn(text: string): string[] {
  const inAddresses = text.matchAll(/\bunsub\+([0-9a-z]{53})(?:\/[\w-]{1,32})?@/gi)
  const inLinks = text.matchAll(/\/u\/([0-9a-z]{53}(?:\.[\w-]{1,2000})?)/gi)
  return [...new Set([...inAddresses, ...inLinks].map(([, token = '']) => token))].slice(0, 20)
}

/** A wrapper ends with `=`; the first drafts of BATV put their tag behind a slash instead. */
const wrapped = (name: string): RegExp =>
  new RegExp(`^<?(?:[^@\\s<>]{1,250}=)?${name}\\+([0-9a-z]{53})(?:/[\\w-]{1,32})?@[^@\\s]+$`, 'i')
const patterns = { bounces: wrapped('bounces'), unsub: wrapped('unsub') }

/** The token alone proves whose address it is, so any wrapper will do. */
function tokenIn(address: string, name: keyof typeof patterns): string | null {
  return patterns[name].exec(address)?.[1]?.toLowerCase() ?? null
}
