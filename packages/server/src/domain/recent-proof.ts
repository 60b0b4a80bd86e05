import { type KeyHistory, signaturePartAt } from './signature-part.ts'

/** What an attempt says about signatures. */
export interface SignedAttempt {
  startedAtMs: number
  /** The names that its signature header had; none when nothing was sent. */
  signedParts: readonly string[]
  /** The names that the receiver said it verified. */
  verifiedParts: readonly string[]
}

export const recentAttemptsMax = 12

/**
 * Of the last attempts that a key signed, how many the receiver verified with it.
 * @param attempts newest first
 */
export function recentProof(
  keys: readonly KeyHistory[],
  keyId: string,
  attempts: readonly SignedAttempt[],
): { attempts: number; verified: number } {
  let counted = 0
  let verified = 0
  for (const attempt of attempts) {
    const part = signaturePartAt(keys, keyId, attempt.startedAtMs)
    if (part === null || !attempt.signedParts.includes(part)) continue
    counted++
    if (attempt.verifiedParts.includes(part)) verified++
    if (counted === recentAttemptsMax) break
  }
  return { attempts: counted, verified }
}
