import { readFileSync } from 'node:fs'
import type { VectorFile, VerifyVector } from '../src/vector-file.ts'

/** The shared vectors from the file that other languages also use. */
export const vectors: VectorFile = JSON.parse(
  readFileSync(new URL('../../../fixtures/signature-vectors.json', import.meta.url), 'utf8'),
)

/** The body of a vector as bytes with their own memory. */
export function bodyOf(vector: { bodyBase64: string }): Uint8Array {
  return new Uint8Array(Buffer.from(vector.bodyBase64, 'base64'))
}

/** The header lines as a JavaScript HTTP server provides them: one character per byte. */
export function linesOf(vector: VerifyVector): string[] {
  return (
    vector.headers ?? (vector.headersBase64 ?? []).map(line => Buffer.from(line, 'base64').toString('latin1'))
  )
}

/** The verifier options of a vector. */
export function optionsOf(vector: VerifyVector): {
  secrets: string[]
  toleranceSeconds: number
  now: () => number
} {
  const { now, secrets, toleranceSeconds } = { ...vectors.defaults, ...vector }
  return { secrets, toleranceSeconds, now: () => now * 1000 }
}
