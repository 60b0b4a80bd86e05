/**
 * An id in about twenty characters. Ours keep the prefix and 6 + 4 characters. A Message-ID or another foreign id keeps
 * both ends of what comes before its domain, because only there do the ids of one mail server differ.
 * @example
 * shortId('dlv_01kb3v7m2q9c4d5e6f7g8h9jq7m2') // 'dlv_01kb3v…q7m2'
 * shortId('20261120093000.3A4B5C6D7E@mail.acme.example') // '2026112…3A4B5C6D7E'
 */
export function shortId(id: string): string {
  const prefix = /^[a-z]+_(?!.*@)/.exec(id)?.[0]
  if (prefix === undefined) return shortened(id.replace(/@[^@]*$/, ''), 7, 12)
  return `${prefix}${shortened(id.slice(prefix.length), 6, 4)}`
}

function shortened(text: string, head: number, tail: number): string {
  return text.length <= head + tail + 2 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`
}
