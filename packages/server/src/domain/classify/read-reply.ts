import { cutText } from '../cut-text.ts'
import { codesInText } from './codes-in-text.ts'
import { type EnhancedCode, formatEnhancedCode, moreSpecific, parseEnhancedCode } from './enhanced-code.ts'
import { plainWords, wordsWithHosts } from './plain-words.ts'
import type { RawReply } from './raw-outcome.ts'
import { type Stage, stageInText } from './stage.ts'

/** A parsed reply: its codes, and its text in the forms that phrases are matched with. */
export interface Reply {
  /** The code of the innermost server that replied. */
  readonly code: number | null
  readonly enhanced: EnhancedCode | null
  /** The reporting server derived the enhanced code from the reply code, so it proves nothing. */
  readonly isEnhancedDerived: boolean
  /** The class of the outermost reply, which the mail system acted on. */
  readonly drivingClass: 2 | 3 | 4 | 5 | null
  /** Whether any code has class 4. */
  readonly hasClassFour: boolean
  /** Whether the text alone mentions an enhanced code of class 4. */
  readonly mentionsClassFour: boolean
  readonly stage: Stage | null
  /** The whole text on one line. */
  readonly text: string
  /** The text of the innermost server only. */
  readonly innerText: string
  /** The whole text normalized, to look for reasons against a bounce. */
  readonly words: string
  readonly wordsWithHosts: string
  /** The innermost server's text normalized, to look for proof of a bounce. */
  readonly innerWords: string
  /** The text for people: one line without codes. */
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
 * Sendmail and its successors fill `Status` from a table if the reply had no enhanced code. Then 5.1.1 only means that the
 * reply code was 550.
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

/** Removes control characters and the type at the start of a Diagnostic-Code, and normalizes spaces and line ends. */
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

/** Removes what the reporting server adds about its own SMTP session. */
function withoutTrace(text: string): string {
  return text.replace(/\((?:in reply to|delivery attempts)[^()]{0,80}\)/gi, ' ')
}

/** Removes the codes at the start of each line. */
function messageOf(text: string, code: number | null): string {
  const own = code === null ? '' : `\\b${code}(?:[ -]+#?[245]\\.\\d{1,3}\\.\\d{1,3})?[ -]+|`
  const codes = new RegExp(`${own}^[245]\\d\\d(?:[ -]|$)|^#?[245]\\.\\d{1,3}\\.\\d{1,3} `, 'g')
  return cutText(text.replace(/\s+/g, ' ').replace(codes, '').trim(), messageLengthMax)
}

function classOf(code: number | null): 2 | 3 | 4 | 5 | null {
  const digit = code === null ? 0 : Math.floor(code / 100)
  return digit === 2 || digit === 3 || digit === 4 || digit === 5 ? digit : null
}
