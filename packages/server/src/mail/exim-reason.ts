/**
 * What Exim itself says about a recipient: the lines below the address, which it indents by two and four spaces. Null if the
 * text has another layout.
 */
export function eximReason(text: string, recipient: string): string | null {
  const name = recipient.toLowerCase()
  const lines = text.slice(0, textLengthMax).split(/\r\n|\r|\n/, 2_000)
  const at = lines.findIndex(line => line.startsWith('  ') && line.slice(2).toLowerCase() === name)
  const below = at < 0 ? [] : lines.slice(at + 1, at + 1 + reasonLinesMax)
  const end = below.findIndex(line => !/^ {4}\S/.test(line))
  const reason = end < 0 ? below : below.slice(0, end)
  return reason.length === 0 ? null : reason.map(line => line.trim()).join('\n')
}

const textLengthMax = 65_536
const reasonLinesMax = 15
