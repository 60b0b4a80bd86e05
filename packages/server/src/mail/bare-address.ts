import { cutText } from '../domain/cut-text.ts'

/**
 * Extracts the address from a field. Some servers add a name, comments, quotes, angle brackets or a route.
 *
 * @example
 * bareAddress('"Ann" <ann@example.org> (at home)') // 'ann@example.org'
 */
export function bareAddress(text: string): string {
  let bare = cutText(text, lengthMax)
    .replace(/\s+/g, ' ')
    .replace(quotedOrComment, (_, quoted: string | undefined) => quoted ?? ' ')
    .trim()
  for (let layer = 0; layer < layersMax; layer++) {
    const inner = inBrackets.exec(bare)?.[1] ?? inQuotes.exec(bare)?.[2]
    if (inner === undefined) break
    bare = inner.replace(route, '').trim()
  }
  return cutText(bare, 320)
}

const lengthMax = 1_024
const layersMax = 3
const quotedOrComment = /("(?:\\.|[^"\\])*")|\((?:[^()]|\([^()]*\))*\)/g
const inBrackets = /<((?:"(?:\\.|[^"\\])*"|[^"<>])*)>*\s*$/
/** Quotes around the whole text: those in `"ann"@example.org` belong to the address. */
const inQuotes = /^(["'])((?:(?!\1).)*)\1$/
/** A source route (RFC 5321), such as `@relay.example.net:`. */
const route = /^@[^:@]*(?:,@[^:@]*)*:/
