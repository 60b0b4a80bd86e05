import type { Mistake } from './mistake.ts'

/** Changes that editors, shells and gateways make to a text. `undone` is the original. */
export function textMistakes(text: string): Mistake<string>[] {
  const body = (was: string, fits: string, undone: string): Mistake<string> => ({
    was,
    fits,
    mender: 'body',
    undone,
  })
  return [
    body(
      'a line break was added at the end of the body',
      'without the last line break',
      text.replace(/\r?\n$/, ''),
    ),
    body('the line break at the end of the body was removed', 'with a line break at the end', `${text}\n`),
    body('a byte order mark was added before the body', 'without it', text.replace(/^\uFEFF/, '')),
    body('space around the body was added', 'without the space around the body', text.trim()),
    body(
      'line breaks in the body were changed to CRLF',
      'with LF line breaks',
      text.replaceAll('\r\n', '\n'),
    ),
    body(
      'line breaks in the body were changed to LF',
      'with CRLF line breaks',
      text.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n'),
    ),
  ].filter(mistake => mistake.undone !== text)
}
