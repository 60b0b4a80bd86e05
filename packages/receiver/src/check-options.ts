import { checkSecrets } from './check-secrets.ts'
import { WebhookUsageError } from './errors.ts'

/** The options of a verifier. */
export interface VerifierOptions {
  /** The secrets of the endpoint, newest first. Usually one, and up to ten during a rotation. */
  readonly secrets: string | readonly string[]
  /** How far `t` may be from the current time, default 300. 0 turns the check off, for tests or after a long outage. */
  readonly toleranceSeconds?: number | undefined
  /**
   * The name of the signature header, default `X-Service-Signature`. With `X-Acme-Signature`, handlers answer with
   * `X-Acme-Verified`.
   */
  readonly headerName?: string | undefined
  /** The largest body that handlers read, default 1 MiB. */
  readonly maxBodyBytes?: number | undefined
  /** The clock in milliseconds, default `Date.now`. */
  readonly now?: (() => number) | undefined
}

export interface CheckedOptions {
  readonly secrets: readonly string[]
  readonly toleranceSeconds: number
  readonly headerName: string
  readonly maxBodyBytes: number
  readonly now: () => number
}

/** Checks the options and fills in defaults. @throws WebhookUsageError */
export function checkOptions(options: VerifierOptions): CheckedOptions {
  const { toleranceSeconds = 300, headerName = 'x-service-signature', maxBodyBytes = 1_048_576 } = options
  const secrets = checkSecrets(options.secrets)
  if (!Number.isSafeInteger(toleranceSeconds) || toleranceSeconds < 0) {
    throw new WebhookUsageError('tolerance_invalid')
  }
  if (!/^[\w-]+$/.test(headerName)) {
    throw new WebhookUsageError('option_invalid', 'headerName')
  }
  if (!(maxBodyBytes > 0)) {
    throw new WebhookUsageError('option_invalid', 'maxBodyBytes')
  }
  return {
    secrets,
    toleranceSeconds,
    headerName: headerName.toLowerCase(),
    maxBodyBytes,
    now: options.now ?? Date.now,
  }
}
