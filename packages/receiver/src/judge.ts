import type { CheckedOptions } from './check-options.ts'
import { WebhookUsageError, WebhookVerificationError } from './errors.ts'
import type { SignatureHeader } from './parse-header.ts'

/** A signature part that matches a configured secret. */
export interface SignatureMatch {
  readonly partName: string
  readonly secretIndex: number
}

/** The result for a verified request. */
export interface Verified {
  /** `t`, in seconds. */
  readonly timestamp: number
  /** The first configured secret that matched, and the part that it matched. */
  readonly secretIndex: number
  readonly partName: string
  /** Every part that matched, in header order. During a rotation there are several. */
  readonly matches: readonly SignatureMatch[]
}

/** The options that `judge` needs. */
export type JudgeOptions = Pick<CheckedOptions, 'toleranceSeconds' | 'now'>

/**
 * Compares every signature with every HMAC (lower-case hex, one for each secret) and only then checks the timestamp. So
 * a timestamp error proves that the secret is right, and forged requests reveal nothing about the clock.
 */
export function judge(header: SignatureHeader, macs: readonly string[], options: JudgeOptions): Verified {
  const matches = header.signatures.flatMap(({ partName, value }) =>
    macs.flatMap((mac, secretIndex) =>
      equalInConstantTime(value.toLowerCase(), mac) ? [{ partName, secretIndex }] : [],
    ),
  )
  const [first] = [...matches].sort((a, b) => a.secretIndex - b.secretIndex)
  if (!first) {
    throw new WebhookVerificationError('signature_mismatch', 'wrong secret, or not the raw body')
  }
  const timestamp = Number(header.timestampText)
  checkFreshness(timestamp, options)
  return { timestamp, ...first, matches }
}

function equalInConstantTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}

function checkFreshness(timestamp: number, { toleranceSeconds, now }: JudgeOptions): void {
  if (toleranceSeconds === 0) return
  const ageSeconds = Math.floor(now() / 1000) - timestamp
  if (!Number.isFinite(ageSeconds)) throw new WebhookUsageError('option_invalid', 'now')
  if (Math.abs(ageSeconds) <= toleranceSeconds) return
  const unit = timestamp > 1e11 ? '; it looks like milliseconds' : ''
  throw new WebhookVerificationError(
    ageSeconds > 0 ? 'timestamp_too_old' : 'timestamp_in_future',
    `t is ${ageSeconds} s behind the clock${unit}`,
  )
}
