/**
 * The token of a return path (`bounces+<token>@…`), or null. It is in lower case, because some mail servers change the case. It
 * removes what mail servers add to the local part, such as BATV (`prvs=0123456789=bounces+…`) and SRS
 * (`SRS0=hash=time=domain=bounces+…`).
 */
export function returnPathToken(address: string): string | null {
  return tokenIn(address, 'bounces')
}

/** The token of an unsubscribe address (`unsub+<token>@…`), wrapped or not, or null. */
export function unsubscribeToken(address: string): string | null {
  return tokenIn(address, 'unsub')
}

/** The distinct return paths in a text. Their tokens are not verified yet. */
export function returnPathsIn(text: string): string[] {
  const found = text.match(/\bbounces\+[0-9a-z]{53}(?:\/[\w-]{1,32})?@[a-z0-9.-]{1,255}/gi) ?? []
  return [...new Set(found)].slice(0, 20)
}

/** The distinct unsubscribe tokens in a text, from addresses and links. */
export function unsubscribeTokensIn(text: string): string[] {
  const inAddresses = text.matchAll(/\bunsub\+([0-9a-z]{53})(?:\/[\w-]{1,32})?@/gi)
  const inLinks = text.matchAll(/\/u\/([0-9a-z]{53}(?:\.[\w-]{1,2000})?)/gi)
  return [...new Set([...inAddresses, ...inLinks].map(([, token = '']) => token))].slice(0, 20)
}

/** A wrapper ends with `=`. The first drafts of BATV appended a tag after a slash instead. */
const wrapped = (name: string): RegExp =>
  new RegExp(`^<?(?:[^@\\s<>]{1,250}=)?${name}\\+([0-9a-z]{53})(?:/[\\w-]{1,32})?@[^@\\s]+$`, 'i')
const patterns = { bounces: wrapped('bounces'), unsub: wrapped('unsub') }

/** The token is authenticated, so any wrapper is accepted. */
function tokenIn(address: string, name: keyof typeof patterns): string | null {
  return patterns[name].exec(address)?.[1]?.toLowerCase() ?? null
}
