import type { Verified } from '@posthorn/receiver'
import { ageRule, defaultToleranceSeconds } from './age-rule.ts'
import { headerRule } from './header-rule.ts'
import { headerValue } from './header-value.ts'
import { type LibraryVerdict, libraryVerdict, secretsFault } from './library-verdict.ts'
import { matchRule } from './match-rule.ts'
import type { Pasted } from './pasted.ts'
import type { Rule } from './rule.ts'
import { secretRule } from './secret-rule.ts'
import { timeRule } from './time-rule.ts'

export interface Judgement {
  readonly rules: readonly Rule[]
  /** Which secrets created which signatures; null if none did or a field is empty. */
  readonly verified: Verified | null
}

/** Checks the fields against each rule. The receivers' library judges signature and time. */
export async function judgePasted({ header, secrets, body, nowMs }: Pasted): Promise<Judgement> {
  const value = headerValue(header)
  const first = await headerRule(value)
  const second = await timeRule(value)
  const ask = async (toleranceSeconds: number): Promise<LibraryVerdict | null> =>
    // A receiver does not start with an unusable secret, so there is nothing to match.
    first.state !== 'good' || second.state === 'bad' || body === null || secretsFault(secrets) !== null
      ? null
      : await libraryVerdict({ header: value, body, secrets, nowMs, toleranceSeconds })
  const timeless = await ask(0)
  const timely = await ask(defaultToleranceSeconds)
  return {
    rules: [
      first,
      second,
      secretRule(secrets, timeless?.ok === true),
      matchRule(timeless, secrets.length),
      ageRule(value, nowMs, timely),
    ],
    verified: timeless?.ok === true ? timeless.verified : null,
  }
}
