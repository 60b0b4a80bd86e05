/**
 * The address in a field that should hold nothing else, without what some servers write around it: a name, comments,
 * quotes, angle brackets, a route.
 *
 * @example
 * bareAddress('"Ann" <ann@example.org> (at home)') // 'ann@example.org'
 */
export function bareAddress(text: string): string {
  let bare = text
    .slice(0, lengthMax)
    .replace(/\s+/g, ' ')
    .replace(quotedOrComment, (_, quoted: string | undefined) => quoted ?? ' ')
    .trim()
  for (let layer = 0; layer < layersMax; layer++) {
    const inner = inBrackets.exec(bare)?.[1] ?? inQuotes.exec(bare)?.[2]
    if (inner === undefined) break
    bare = inner.replace(route, '').trim()
  }
  return bare.slice(0, 320)
}

const lengthMax = 1_024
const layersMax = 3
const quotedOrComment = /("(?:\\.|[^"\\])*")|\((?:[^()]|\([^()]*\))*\)/g
const inBrackets = /<((?:"(?:\\.|[^"\\])*"|[^"<>])*)>*\s*$/
/** All of it: `"ann"@example.org` is an address with its quotes. */
const inQuotes = /^(["'])((?:(?!\1).)*)\1$/
/** `@relay.example.net:` of RFC 5321, in front of the address. */
const route = /^@[^:@]*(?:,@[^:@]*)*:/
