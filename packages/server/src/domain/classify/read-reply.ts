import { codesInText } from './codes-in-text.ts'
import { type EnhancedCode, formatEnhancedCode, moreSpecific, parseEnhancedCode } from './enhanced-code.ts'
import { plainWords, wordsWithHosts } from './plain-words.ts'
import type { RawReply } from './raw-outcome.ts'
import { type Stage, stageInText } from './stage.ts'

/** A reply, taken apart: the codes to judge by, and its text in the forms in which phrases are looked for. */
export interface Reply {
  /** Of the innermost server that spoke. */
  readonly code: number | null
  readonly enhanced: EnhancedCode | null
  /** The enhanced code was only derived from the reply code by the reporting server, and so proves nothing. */
  readonly isEnhancedDerived: boolean
  /** The first digit that drove the mail system: of the outermost reply. */
  readonly drivingClass: 2 | 3 | 4 | 5 | null
  /** Whether any of the codes is of class 4. */
  readonly hasClassFour: boolean
  /** Whether the text alone mentions an enhanced code of class 4. */
  readonly mentionsClassFour: boolean
  readonly stage: Stage | null
  /** Everything on one line, as it came. */
  readonly text: string
  /** The same of the innermost server alone. */
  readonly innerText: string
  /** Everything, for reasons against a bounce. */
  readonly words: string
  readonly wordsWithHosts: string
  /** What the innermost server said, for proofs of a bounce. */
  readonly innerWords: string
  /** For people: one line without codes. */
  readonly message: string
}

const textLengthMax = 8_192
const messageLengthMax = 1_024

export function readReply(raw: RawReply = {}): Reply {
  const text = unfold(raw.text ?? '')
  const found = codesInText(text)
  const last = found.replies.at(-1) ?? null
  const given = raw.enhancedCode === undefined ? null : parseEnhancedCode(raw.enhancedCode)
  const reported = raw.reportedStatus === undefined ? null : parseEnhancedCode(raw.reportedStatus)
  const code = last?.code ?? raw.code ?? null
  const inText =
    found.replies.findLast(one => one.code === code && one.enhanced !== null)?.enhanced ?? found.loose
  const own = moreSpecific(inText, given)
  const enhanced = moreSpecific(own, reported)
  const driving = raw.code ?? found.replies.find(one => one.code >= 400)?.code ?? code
  const innerFrom = found.replies.find(one => one.code === code)?.at ?? 0
  const onOneLine = text.replace(/\s+/g, ' ')
  const innerText = withoutTrace(text.slice(innerFrom).replace(/\s+/g, ' '))
  return {
    code,
    enhanced,
    isEnhancedDerived: own === null && isDerived(code, reported),
    drivingClass: classOf(driving) ?? enhanced?.class ?? null,
    hasClassFour:
      [raw.code ?? null, code, driving].some(one => classOf(one) === 4) ||
      [given, reported, enhanced].some(one => one?.class === 4),
    mentionsClassFour: found.mentionsClassFour,
    stage: stageInText(onOneLine),
    text: onOneLine,
    innerText,
    words: plainWords(onOneLine),
    wordsWithHosts: wordsWithHosts(onOneLine),
    innerWords: plainWords(innerText),
    message: messageOf(text, code),
  }
}

/**
 * Sendmail and what descends from it fill `Status` from a table when the reply had no enhanced code of its own: 5.1.1
 * then only says that the reply code was 550.
 */
function isDerived(code: number | null, reported: EnhancedCode | null): boolean {
  if (code === null || reported === null) return false
  return derivedCodes.get(code) === formatEnhancedCode(reported)
}

const derivedCodes = new Map([
  [550, '5.1.1'],
  [551, '5.1.6'],
  [553, '5.1.3'],
])

/** One line, without control characters, without the type that a Diagnostic-Code begins with. */
function unfold(text: string): string {
  return text
    .slice(0, textLengthMax)
    .toWellFormed()
    .replace(/\r\n?|\u2028|\u2029/g, '\n')
    .replace(/[^\P{Cc}\n]|\p{Cf}/gu, ' ')
    .replace(/^\s*(?:smtp|lmtp|dns|unknown|rfc822|x400|x-[\w-]{1,64})\s*;\s*/i, '')
    .replace(/[^\S\n]+/g, ' ')
    .trim()
}

/** What the reporting server adds about its own dialogue is not the other server's text. */
function withoutTrace(text: string): string {
  return text.replace(/\((?:in reply to|delivery attempts)[^()]{0,80}\)/gi, ' ')
}

/** Codes in front and at the beginning of each further line go; the sentence remains. */
function messageOf(text: string, code: number | null): string {
  const own = code === null ? '' : `\\b${code}(?:[ -]+#?[245]\\.\\d{1,3}\\.\\d{1,3})?[ -]+|`
  const codes = new RegExp(`${own}^[245]\\d\\d(?:[ -]|$)|^#?[245]\\.\\d{1,3}\\.\\d{1,3} `, 'g')
  return text.replace(/\s+/g, ' ').replace(codes, '').trim().slice(0, messageLengthMax).toWellFormed()
}

function classOf(code: number | null): 2 | 3 | 4 | 5 | null {
  const digit = code === null ? 0 : Math.floor(code / 100)
  return digit === 2 || digit === 3 || digit === 4 || digit === 5 ? digit : null
}
