import { signatureParts } from '@posthorn/receiver/debug'

/** The text of a header's first `t`. */
export function timeText(header: string): string | undefined {
  return signatureParts(header).find(part => part.partName === 't')?.value
}

/** The moment of a `t`, also if it was written in milliseconds by mistake; null if it is out of range. */
export function signedAtMs(text: string): number | null {
  const number = Number(text)
  const atMs = isMilliseconds(text) ? number : number * 1000
  return Number.isNaN(new Date(atMs).getTime()) ? null : atMs
}

/** As the library decides: seconds are not this large before the year 5138. */
export function isMilliseconds(text: string): boolean {
  return Number(text) > 1e11
}
