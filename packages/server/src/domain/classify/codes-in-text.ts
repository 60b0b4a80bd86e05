import { type EnhancedCode, parseEnhancedCode } from './enhanced-code.ts'

/** The codes in the text of a reply. */
export interface CodesInText {
  /** All reply codes, outermost first, because a server puts its own code before a reply that it forwards. */
  readonly replies: readonly CodeInText[]
  /** An enhanced code without a reply code before it, as in `(#5.1.1)`. */
  readonly loose: EnhancedCode | null
  /** Whether any enhanced code of class 4 occurs. */
  readonly mentionsClassFour: boolean
}

interface CodeInText {
  readonly code: number
  readonly enhanced: EnhancedCode | null
  /** The position in the text. */
  readonly at: number
}

/** Finds codes only in the places where replies have them, so that sizes, ports, years and addresses do not match. */
export function codesInText(text: string): CodesInText {
  const replies: CodeInText[] = []
  for (const match of text.matchAll(replyPattern)) {
    const [, code, enhanced] = match
    const parsed = enhanced === undefined ? null : parseEnhancedCode(enhanced)
    const reply = { code: Number(code), enhanced: parsed, at: match.index }
    if (!isNumberAtFold(text, reply, replies) && !isNumberInSuccess(text, reply, replies)) replies.push(reply)
  }
  const withoutNames = text.replace(/\S+/g, withoutName)
  const all = [...withoutNames.matchAll(enhancedPattern)]
  const found = all.map(([token]) => parseEnhancedCode(token)).filter(code => code !== null)
  const marked = /#\s?([245]\.[0-7]\.\d{1,3})(?![.\d])/.exec(withoutNames)?.[1]
  return {
    replies,
    loose: (marked === undefined ? null : parseEnhancedCode(marked)) ?? found.at(-1) ?? null,
    mentionsClassFour: found.some(code => code.class === 4),
  }
}

/** Whether a number that begins a folded line is part of the sentence, as in `… the limit of⏎ 550 messages`. */
function isNumberAtFold(
  text: string,
  { code, enhanced, at }: CodeInText,
  before: readonly CodeInText[],
): boolean {
  const [first] = before
  return (
    first !== undefined && first.code !== code && enhanced === null && text.slice(at - 2, at).endsWith('\n ')
  )
}

/** A number in the text of a success, such as `250 2.0.0 Saved: 550 bytes`. */
function isNumberInSuccess(
  text: string,
  { enhanced, at }: CodeInText,
  [first]: readonly CodeInText[],
): boolean {
  if (first === undefined || first.at > 0 || first.code >= 300) return false
  return enhanced === null && !/\n ?$/.test(text.slice(at - 2, at))
}

/** Removes addresses and links, because their digits are not codes. */
function withoutName(word: string): string {
  return word.lastIndexOf('@', word.length - 2) > 0 ? ' ' : word.replace(/https?:\S+/i, ' ')
}

/** At the start of the text, of a line or of a quotation, or anywhere if an enhanced code follows directly. */
const replyPattern =
  /(?<=^\s*|[\n:;<'"([]\s{0,4}|(?<![\w.[-])(?=[245]\d\d[ \n-]{1,4}['"#(<[]{0,2}[245]\.))([245]\d\d)(?![\w./@[\]]|:\S)(?:(?:[ :\n-]|$|['"(#<]){1,4}(?:([245]\.\d{1,3}\.\d{1,3})(?![.\d]))?)/g

const enhancedPattern = /(?<![\w.-]|\.\s?)[245]\.[0-7]\.\d{1,3}(?!\.?\d|\w)/g
