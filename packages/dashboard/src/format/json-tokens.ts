export type JsonTokenKind = 'key' | 'string' | 'number' | 'word' | 'mark' | 'space'

export interface JsonToken {
  readonly kind: JsonTokenKind
  readonly text: string
}

const token =
  /(?<string>"(?:[^"\\]|\\.)*")|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<word>true|false|null)|(?<mark>[{}[\],:])|(?<space>\s+)/y

const colon = /\s*:/y

/** The tokens of a JSON text, for colours. Null if the text is not JSON. */
export function jsonTokens(text: string): JsonToken[] | null {
  if (!isJson(text)) return null
  const tokens: JsonToken[] = []
  token.lastIndex = 0
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [kind = 'space'] = Object.entries(found.groups ?? {}).find(([, part]) => part !== undefined) ?? []
    colon.lastIndex = token.lastIndex
    const isKey = kind === 'string' && colon.test(text)
    tokens.push({ kind: isKey ? 'key' : (kind as JsonTokenKind), text: found[0] })
  }
  return tokens
}

/** The JSON text indented by two spaces for each level. Tokens stay unchanged, so numbers keep every digit. */
export function indentJson(tokens: readonly JsonToken[]): JsonToken[] {
  const dense = tokens.filter(({ kind }) => kind !== 'space')
  const lines: JsonToken[] = []
  let depth = 0
  const newLine = (): void => void lines.push({ kind: 'space', text: `\n${'  '.repeat(depth)}` })
  dense.forEach(({ kind, text }, place) => {
    const previous = dense[place - 1]?.text
    const closes = kind === 'mark' && (text === '}' || text === ']')
    if (closes) depth -= 1
    if (closes && previous !== '{' && previous !== '[') newLine()
    lines.push({ kind, text })
    if (kind !== 'mark') return
    if (text === ':') lines.push({ kind: 'space', text: ' ' })
    if (text === ',') newLine()
    const opens = text === '{' || text === '['
    if (!opens) return
    depth += 1
    const next = dense[place + 1]?.text
    if (next !== '}' && next !== ']') newLine()
  })
  return lines
}

function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}
