/** A part of a signature header, as received. */
export interface SignaturePart {
  /** `t`, or the name of a signature: `v1`, `v1s`, `v1s2` and so on. */
  readonly partName: string
  /** Whatever follows the `=`, valid or not. */
  readonly value: string
}

/**
 * Splits a signature header into the parts that a verifier reads, malformed ones included. It never throws.
 *
 * @example
 * const [time, signature] = signatureParts('t=1795230842,v1=73126f')
 */
export function signatureParts(header: string): SignaturePart[] {
  return header.split(',').flatMap(piece => {
    const part = piece.trim()
    const partName = /^(t|v1(s\d*)?)(?==)/.exec(part)?.[0]
    return partName ? { partName, value: part.slice(partName.length + 1) } : []
  })
}
