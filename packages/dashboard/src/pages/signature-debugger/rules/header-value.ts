/** The value of the header in what people copy: a line of a log, an option of curl, an entry of a JSON object. */
export function headerValue(pasted: string): string {
  const bare = pasted
    .trim()
    .replace(/^-H\s+/, '')
    .replace(/[,;\\\s]+$/, '')
  const line = unquoted(bare).replace(/^["']?x-service-signature["']?\s*[:=]\s*/i, '')
  return unquoted(line.trim())
}

function unquoted(text: string): string {
  const quote = text[0]
  return text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote)
    ? text.slice(1, -1)
    : text
}
