import {
  createVerifier,
  type Verified,
  type WebhookErrorCode,
  WebhookUsageError,
  WebhookVerificationError,
} from '@posthorn/receiver'

/** What the library that receivers use says of a request: this page never judges by itself. */
export type LibraryVerdict =
  | { readonly ok: true; readonly verified: Verified }
  | { readonly ok: false; readonly code: WebhookErrorCode }

export interface LibraryQuestion {
  readonly header: string
  readonly body: Uint8Array
  readonly secrets: readonly string[]
  readonly nowMs: number
  /** 0 leaves the time out. */
  readonly toleranceSeconds: number
}

export async function libraryVerdict(question: LibraryQuestion): Promise<LibraryVerdict> {
  const { header, body, secrets, nowMs, toleranceSeconds } = question
  try {
    const verifier = createVerifier({ secrets, toleranceSeconds, now: () => nowMs })
    return { ok: true, verified: await verifier.verify(body, header) }
  } catch (error) {
    if (error instanceof WebhookVerificationError || error instanceof WebhookUsageError) {
      return { ok: false, code: error.code }
    }
    throw error
  }
}

/** What the library has against a header, whatever the secret and the body; null: nothing. */
export async function headerFault(header: string): Promise<WebhookErrorCode | null> {
  const anySecret = `whsec_${'0'.repeat(43)}`
  const verdict = await libraryVerdict({
    header,
    body: new Uint8Array(),
    secrets: [anySecret],
    nowMs: 0,
    toleranceSeconds: 0,
  })
  return verdict.ok || verdict.code === 'signature_mismatch' ? null : verdict.code
}

/** What the library has against a secret before it has seen a request; null: nothing. */
export function secretFault(secret: string): WebhookErrorCode | null {
  try {
    createVerifier({ secrets: [secret] })
    return null
  } catch (error) {
    if (error instanceof WebhookUsageError) return error.code
    throw error
  }
}
