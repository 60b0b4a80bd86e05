import type { CheckedOptions } from './check-options.ts'
import { WebhookUsageError, WebhookVerificationError } from './errors.ts'
import type { SignatureHeader } from './parse-header.ts'

/** One signature part that one configured secret accounts for. */
export interface SignatureMatch {
  readonly partName: string
  readonly secretIndex: number
}

/** What is known about a request that passed. */
export interface Verified {
  /** `t`, in seconds. */
  readonly timestamp: number
  /** The first of the configured secrets that matched, and the part it matched. */
  readonly secretIndex: number
  readonly partName: string
  /** Every part that matched, in the order of the header: in the middle of a rotation there are several. */
  readonly matches: readonly SignatureMatch[]
}

/** What judging needs of the options. */
export type JudgeOptions = Pick<CheckedOptions, 'toleranceSeconds' | 'now'>

/**
 * Compares every signature with every HMAC (lower-case hex, one for each secret), and only then looks at the
 * clock: whoever cannot sign learns nothing about time, and a freshness error proves that the secret is right.
 */
export function judge(header: SignatureHeader, macs: readonly string[], options: JudgeOptions): Verified {
  const matches: SignatureMatch[] = []
  let first: SignatureMatch | undefined
  for (const { partName, hex } of header.signatures) {
    for (const [secretIndex, mac] of macs.entries()) {
      if (!equalInConstantTime(hex, mac)) continue
      const match = { partName, secretIndex }
      matches.push(match)
      if (first === undefined || secretIndex < first.secretIndex) first = match
    }
  }
  if (first === undefined) {
    throw new WebhookVerificationError('signature_mismatch', 'no signature matches a configured secret', {
      hint: 'another secret, or a body that was parsed, re-encoded or decompressed on its way here',
    })
  }
  const timestamp = Number(header.timestampText)
  checkFreshness(timestamp, options)
  return { timestamp, secretIndex: first.secretIndex, partName: first.partName, matches }
}

function equalInConstantTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}

function checkFreshness(timestamp: number, { toleranceSeconds, now }: JudgeOptions): void {
  if (toleranceSeconds === 0) return
  const ageSeconds = Math.floor(now() / 1000) - timestamp
  if (!Number.isFinite(ageSeconds)) throw new WebhookUsageError('option_invalid', 'now() did not give a time')
  if (ageSeconds > toleranceSeconds) {
    throw new WebhookVerificationError('timestamp_too_old', `signed ${ageSeconds} s ago`, {
      hint: 'the signature is right: a replay, a delay on the way, or the clock of this machine is fast',
    })
  }
  if (ageSeconds < -toleranceSeconds) {
    throw new WebhookVerificationError('timestamp_in_future', `signed ${-ageSeconds} s in the future`, {
      hint:
        timestamp > 1e11
          ? 'the signature is right, but t looks like milliseconds'
          : 'the signature is right: the clock of this machine is slow',
    })
  }
}
