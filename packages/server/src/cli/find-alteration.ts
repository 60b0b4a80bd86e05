import { createVerifier } from '@posthorn/receiver'

/**
 * Which common change to the body explains why it does not verify: without the change, it verifies. Null if none
 * explains it.
 */
export async function findAlteration(
  body: Buffer,
  header: string,
  secrets: readonly string[],
): Promise<string | null> {
  const verifier = createVerifier({ secrets, toleranceSeconds: 0 })
  for (const { change, original } of possibleOriginals(body)) {
    if (original !== null && (await verifier.safeVerify(original, header)).ok) return change
  }
  return null
}

function possibleOriginals(body: Buffer): { change: string; original: string | null }[] {
  const text = body.toString()
  return [
    {
      change:
        'a line break was added to the end of the body, perhaps by an editor or echo. Without it, the signature matches.',
      original: text.replace(/\r?\n$/, ''),
    },
    {
      change: 'the line breaks in the body were changed to CRLF. With LF, the signature matches.',
      original: text.replaceAll('\r\n', '\n'),
    },
    {
      change: 'a byte order mark was added before the body. Without it, the signature matches.',
      original: text.replace(/^\uFEFF/, ''),
    },
    {
      change:
        'the body was parsed and serialized again with different white space. As compact JSON, the signature matches.',
      original: compactJson(text),
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
