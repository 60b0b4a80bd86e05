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
