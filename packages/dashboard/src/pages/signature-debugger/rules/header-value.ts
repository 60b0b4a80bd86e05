/** Extracts the header's value from a log line, a curl option, or a JSON entry. */
export function headerValue(pasted: string): string {
  const bare = pasted
    .trim()
    .replace(/^-H\s+/, '')
    .replace(/[,;\\\s]+$/, '')
  const line = unquoted(bare).replace(/^["']?x-[\w-]+-signature["']?\s*[:=]\s*/i, '')
  return unquoted(line.trim())
}

function unquoted(text: string): string {
  const quote = text[0]
  return text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote)
    ? text.slice(1, -1)
    : text
}
