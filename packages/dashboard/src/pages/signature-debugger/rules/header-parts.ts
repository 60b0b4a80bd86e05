/** The parts of a signature header, damaged ones included. */
export interface HeaderParts {
  /** The text of each `t`; there should be one. */
  readonly times: readonly string[]
  /** The signatures with 64 hexadecimal characters, in lower case. */
  readonly signatures: readonly { readonly name: string; readonly hex: string }[]
  /** The malformed signatures. */
  readonly damaged: readonly { readonly name: string; readonly value: string }[]
}

/** Parses a header more leniently than a verifier, to say what is wrong with it. */
export function headerParts(value: string): HeaderParts {
  const parts = value.split(',').flatMap(piece => {
    const split = piece.indexOf('=')
    return split === -1 ? [] : [{ name: piece.slice(0, split).trim(), value: piece.slice(split + 1).trim() }]
  })
  const signed = parts.filter(part => /^v1(s[0-9]*)?$/.test(part.name))
  return {
    times: parts.filter(part => part.name === 't').map(part => part.value),
    signatures: signed
      .filter(part => isMac(part.value))
      .map(part => ({ name: part.name, hex: part.value.toLowerCase() })),
    damaged: signed.filter(part => !isMac(part.value)),
  }
}

function isMac(text: string): boolean {
  return /^[0-9a-f]{64}$/i.test(text)
}
