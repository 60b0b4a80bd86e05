/**
 * Finds the reply about one recipient in the readable part of a report: on a line that begins with the address, or in a reply
 * that contains it. Other prose is ignored, because it may come from the message itself.
 */
export function transcriptOf(text: string, recipient: string, isOnlyRecipient: boolean): string | null {
  const name = recipient.toLowerCase()
  const lines = unfolded(text.slice(0, textLengthMax))
  for (const [index, line] of lines.entries()) {
    const bare = line.trim().replace(/^(?:recipient(?: address)?|to)\s*:\s*/i, '')
    if (!bare.toLowerCase().replace(/^<|>/g, '').startsWith(name)) continue
    const same = /^<?[^\s<>]+>?\s*(?::|\.\.\.)\s*(\S.*)$/.exec(bare)?.[1]
    if (same !== undefined) return withContinuation(same, lines.slice(index + 1))
    const next = reasonPattern.exec(withContinuation(lines[index + 1] ?? '', lines.slice(index + 2)))?.[1]
    if (next !== undefined) return next
  }
  const isAbout = (line: string): boolean => isOnlyRecipient || line.toLowerCase().includes(name)
  for (const [index, line] of lines.entries()) {
    if (!replyPattern.test(line.trim())) continue
    const reply = withContinuation(line.trim(), lines.slice(index + 1))
    if (isAbout(reply)) return reply
  }
  return null
}

/** A reply continues in indented lines, and in lines with the same code while a hyphen follows the code. */
function withContinuation(first: string, following: readonly string[]): string {
  const all = [first]
  for (const line of following.slice(0, continuationLinesMax)) {
    const code = /^(?:<<< )?([245]\d\d)-/.exec(all.at(-1)?.trim() ?? '')?.[1]
    const isNextOfReply = code !== undefined && line.trim().replace(/^<<< /, '').startsWith(code)
    if (!isNextOfReply && !/^[ \t]+\S/.test(line)) break
    all.push(isNextOfReply ? line.trim() : ` ${line.trim()}`)
  }
  return all.join('\n')
}

const continuationLinesMax = 14

const textLengthMax = 65_536
const lineLengthMax = 2_048
const reasonPattern = /^\s*\(?(?:reason|error|diagnostic)\s*:\s*([^)]{3,500})\)?/i
const replyPattern = /^(?:<<< )?[45]\d\d[ -](?:[45]\.\d{1,3}\.\d{1,3} )?\S/

function unfolded(text: string): string[] {
  return text.split(/\r\n|\r|\n/, 2_000).map(line => line.slice(0, lineLengthMax))
}
