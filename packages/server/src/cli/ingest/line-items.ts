/** One item of a line: the value in a column, or at a path. Null if it has none. */
export type LineItem = (place: string) => unknown

/** The cells of a line of CSV (RFC 4180). Null if a quote does not end. */
export function readCells(line: string): string[] | null {
  const cells: string[] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y
  for (let isLast = false; !isLast; ) {
    const [, quoted, bare = '', end] = cell.exec(line) ?? []
    if (end === undefined) return null
    cells.push(quoted?.replaceAll('""', '"') ?? bare)
    isLast = end === ''
  }
  return cells
}

/** @param columns the names of the cells, in order */
export function cellItem(columns: readonly string[], cells: readonly string[]): LineItem {
  return name => cells[columns.indexOf(name)] ?? null
}

/**
 * The items of a line of JSON: the line itself, each item of an array, or each item of the array at `each`. Null if the line
 * is not JSON.
 */
export function jsonItems(line: string, each: string | undefined): LineItem[] | null {
  // a parser that throws for each short line of another file takes seconds
  if (!/^\s*(?:\{\s*"[^]*\}|\[[^]*\])\s*$/.test(line)) return null
  let parsed: unknown
  try {
    parsed = JSON.parse(line)
  } catch {
    return null
  }
  if (typeof parsed !== 'object' || parsed === null) return null
  const found = each === undefined || Array.isArray(parsed) ? parsed : valueAt(parsed, each)
  if (found === null) return null
  return (Array.isArray(found) ? found : [found]).map(item => place => valueAt(item, place))
}

function valueAt(item: unknown, path: string): unknown {
  // a name may contain a dot itself
  if (typeof item === 'object' && item !== null && Object.hasOwn(item, path)) {
    return (item as Record<string, unknown>)[path]
  }
  const [, first = '', rest = ''] = /^([^.]+)\.([^]+)$/.exec(path) ?? []
  if (typeof item !== 'object' || item === null || !Object.hasOwn(item, first)) return null
  return valueAt((item as Record<string, unknown>)[first], rest)
}

/**
 * The pairs of a line such as `mta delivery from=<a@b> result="Ok" stat="250 …"`. Values come from outside and may imitate
 * pairs. So it parses from left to right, and the first of two pairs with the same name counts. `text` is what stands before
 * the first pair. Null if there is none.
 */
export function pairItem(message: string): LineItem | null {
  const start = /(?:^|\s)[A-Za-z][\w-]{0,40}=/.exec(message)
  if (start === null) return null
  const pairs = new Map<string, string>([['text', message.slice(0, start.index).trim()]])
  const pair =
    /\s*([A-Za-z][\w-]{0,40})=(?:<((?:"(?:\\.|[^"\\])*"|[^"<>])*)>|"([^]*?)"(?=\s+[A-Za-z][\w-]{0,40}=|\s*$)|([^\s,]*)),?/y
  pair.lastIndex = start.index
  for (;;) {
    const [whole, name, address, quoted, bare = ''] = pair.exec(message) ?? []
    if (whole === undefined || name === undefined) break
    if (!pairs.has(name)) pairs.set(name, address ?? quoted ?? bare)
  }
  return place => pairs.get(place) ?? null
}
