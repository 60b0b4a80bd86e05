import { createVerifier } from '@posthorn/receiver'

/**
 * What was done to a body that does not verify, when it is one of the usual accidents of saving or parsing it: the
 * body with that undone verifies. Null when none of them explains it.
 */
export async function findAlteration(
  body: Buffer,
  header: string,
  secrets: readonly string[],
): Promise<string | null> {
  const verifier = createVerifier({ secrets, toleranceSeconds: 0 })
  for (const { was, undone } of undoings(body)) {
    if (undone !== null && (await verifier.safeVerify(undone, header)).ok) return was
  }
  return null
}

function undoings(body: Buffer): { was: string; undone: string | Buffer | null }[] {
  const text = body.toString()
  return [
    {
      was: 'a line break was added at the end of the body (an editor or echo does); without it the signature matches.',
      undone: text.replace(/\r?\n$/, ''),
    },
    {
      was: 'line breaks in the body were changed to CRLF; with LF the signature matches.',
      undone: text.replaceAll('\r\n', '\n'),
    },
    {
      was: 'a byte order mark was put before the body; without it the signature matches.',
      undone: text.replace(/^\uFEFF/, ''),
    },
    {
      was: 'the body was parsed and written again with other white space; as compact JSON the signature matches.',
      undone: compactJson(text),
    },
  ]
}

function compactJson(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return null
  }
}
