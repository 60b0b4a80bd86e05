/**
 * The token of a return path (`bounces+<token>@…`); null for any other address. In lower case, because some mail
 * servers change the case of what they send back.
 */
export function returnPathToken(address: string): string | null {
  return /^<?bounces\+([0-9a-z]{53})@[^@\s]+$/i.exec(address)?.[1]?.toLowerCase() ?? null
}

/** Every return path that a text names, each once. They prove nothing before their tokens are verified. */
export function returnPathsIn(text: string): string[] {
  const found = text.match(/\bbounces\+[0-9a-z]{53}@[a-z0-9.-]{1,255}/gi) ?? []
  return [...new Set(found)].slice(0, 20)
}

/** Every token to unsubscribe that a text names, in an address or in a link. */
export function unsubscribeTokensIn(text: string): string[] {
  const inAddresses = text.matchAll(/\bunsub\+([0-9a-z]{53})@/gi)
  const inLinks = text.matchAll(/\/u\/([0-9a-z]{53}(?:\.[\w-]{1,2000})?)/gi)
  return [...new Set([...inAddresses, ...inLinks].map(([, token = '']) => token))].slice(0, 20)
}

/** The token of an address to unsubscribe (`unsub+<token>@…`); null for any other. */
export function unsubscribeToken(address: string): string | null {
  return /^<?unsub\+([0-9a-z]{53})@[^@\s]+$/i.exec(address)?.[1]?.toLowerCase() ?? null
}
