import { type KeyHistory, signaturePartAt } from './signature-part.ts'

/** The signatures of an attempt. */
export interface SignedAttempt {
  startedAtMs: number
  /** The names of the parts in its signature header; none if nothing was sent. */
  signedParts: readonly string[]
  /** The names of the parts that the receiver reported as verified. */
  verifiedParts: readonly string[]
}

export const recentAttemptsMax = 12

/**
 * Counts the latest attempts that a key signed, and how many of them the receiver verified with it.
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
