const repliesAfterMax = 60
const continuationLinesMax = 14

/** A reply of a mail server that the text of a bounce quotes. */
export interface QuotedReply {
  /** The reply from its code on, with its continuation lines. */
  readonly text: string
  /** What the text says right before it, such as `SMTP error after RCPT TO:`. */
  readonly lead: string
  /** The index of its first line, and of the line after it. */
  readonly line: number
  readonly end: number
}

/** The first refusal that begins in these lines. */
export function findReply(lines: readonly string[]): QuotedReply | null {
  for (const [index, line] of lines.slice(0, repliesAfterMax).entries()) {
    const found = codePattern.exec(line)
    if (found === null) continue
    const at = found.index + found[0].length - 3
    const first = line.slice(at)
    // a bare code needs the words after it
    if (/^\d{3}[^\p{L}\d]*$/u.test(first) && !isContinued(lines[index + 1])) continue
    const lead = [...lines.slice(Math.max(0, index - 2), index), line.slice(0, at)]
    const more = continuation(first, lines.slice(index + 1))
    return {
      text: [first.replace(punctuation, '$1 '), ...more].join('\n'),
      lead: lead.join(' ').trim(),
      line: index,
      end: index + 1 + more.length,
    }
  }
  return null
}

/** Punctuation that some servers put between the code and its words. */
const punctuation = /^(\d{3})[,.;)\]]+ ?/

/** A reply goes on until an empty line, another reply, a new section, or the next address. */
function continuation(first: string, following: readonly string[]): string[] {
  const code = first.slice(0, 3)
  const found: string[] = []
  for (const line of following.slice(0, continuationLinesMax)) {
    const bare = line.trim().replace(/^<<< ?/, '')
    const other = /^([2-5]\d\d)(?=[ -])/.exec(bare)?.[1]
    if (bare === '' || (other !== undefined && other !== code) || endOfReply.test(bare)) break
    found.push(other === undefined ? ` ${bare}` : bare)
  }
  return found
}

function isContinued(line: string | undefined): boolean {
  return line !== undefined && line.trim() !== '' && !endOfReply.test(line.trim())
}

const endOfReply =
  /^(?:-{2,}|={2,}|\*{3,}|>>>|\.\.\. |[\w-]{2,24}-[\w-]{2,24}: |(?:subject|from|to|date|sent|message-id|reporting-mta|final-recipient|action|status|remote-mta): )|^[<(]?[^\s<>@]{1,64}@[^\s<>@]{1,255}[>)]?:?$/i

/** A code of class 4 or 5 where a reply can begin. Sizes and counts do not match. */
const codePattern = new RegExp(
  '(?:^[\\s<>*|.]{0,16}|[:;<>\'"(\\[]\\s{0,4}|<-{1,2}\\s|\\b(?:error|code|reply|response|status|returned|replied|said|answered|was|with|smtp|reason)[\\s:=#-]{1,3}|(?<![\\w.-])(?=[45]\\d\\d[ -]{1,2}#?[45]\\.\\d))[45]\\d\\d' +
    '(?=[\\s:,.\\])#\'"-]|$)(?!\\.\\d)(?!\\s{0,2}(?:messages?|mails?|bytes?|[km]i?b|characters?|seconds?|minutes?|hours?|days?|recipients?|lines?|times)\\b)',
  'i',
)
