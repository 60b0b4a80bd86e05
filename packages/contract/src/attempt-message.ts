import type { AttemptErrorCode } from './attempt-error-code.ts'
import { type AttemptErrorText, attemptErrorTexts } from './attempt-error-texts.ts'

/** The details that the text of a code needs, by name. */
export type AttemptErrorDetails<Code extends AttemptErrorCode> = Readonly<
  Record<NamesIn<Texts[Code]['headline'] | Texts[Code]['advice']>, string>
>

type Texts = typeof attemptErrorTexts

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

/**
 * The `error.message` of a failed attempt: headline, cause and advice.
 *
 * @param cause a more precise sentence that replaces the one in the table
 * @example
 * attemptMessage('connect_refused', { host: 'hooks.example.com', port: '443' })
 */
export function attemptMessage<const Code extends AttemptErrorCode>(
  code: Code,
  details: AttemptErrorDetails<Code>,
  cause?: string,
): string {
  const text: AttemptErrorText = attemptErrorTexts[code]
  const sentences = [fill(text.headline, details), cause ?? text.cause, fill(text.advice, details)]
  return sentences.filter(sentence => sentence !== undefined).join(' ')
}

/**
 * Splits a message into what happened and what to do. A message with other words, for example from another release,
 * becomes the headline as a whole.
 */
export function splitAttemptMessage(
  code: AttemptErrorCode,
  message: string,
): { headline: string; advice: string } {
  const [, headline = message, advice = ''] = headlinePattern(code).exec(message) ?? []
  return { headline, advice }
}

function headlinePattern(code: AttemptErrorCode): RegExp {
  const literal = attemptErrorTexts[code].headline
    .split(/\{\w+\}/)
    .map(part => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`^(${literal.join('.+?')}) (.+)$`, 's')
}

function fill(template: string, details: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => details[name] ?? whole)
}
