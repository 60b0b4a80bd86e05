/**
 * Chooses a language for a reader by `Accept-Language`: the lookup of RFC 4647, by weight, then by order.
 *
 * @param available in lower case. The first one is for readers who prefer none of them
 * @example
 * preferredLanguage('de-AT,de;q=0.9,en;q=0.8', ['en', 'de']) // 'de'
 */
export function preferredLanguage<Language extends string>(
  header: string | undefined,
  available: readonly [Language, ...Language[]],
): Language {
  const ranges = (header ?? '').slice(0, headerLengthMax).toLowerCase().split(',').flatMap(readRange)
  const refused = new Set(ranges.filter(({ weight }) => weight === 0).map(({ tag }) => tag))
  const accepted = available.filter(language => !refused.has(language))
  // a stable sort keeps the order of equal weights
  for (const { tag } of ranges.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight)) {
    const found = tag === '*' ? accepted[0] : accepted.find(language => isWithin(tag, language))
    if (found !== undefined) return found
  }
  return available[0]
}

const headerLengthMax = 1_000

interface Range {
  readonly tag: string
  readonly weight: number
}

/** Nothing for a text that is not a language range with a weight. */
function readRange(text: string): Range[] {
  const parts =
    /^\s*(\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?\s*$/.exec(
      text,
    )
  const tag = parts?.[1]
  return tag === undefined ? [] : [{ tag, weight: Number(parts?.[2] ?? 1) }]
}

/** `de-at` is within `de`. */
function isWithin(tag: string, language: string): boolean {
  return tag === language || tag.startsWith(`${language}-`)
}
