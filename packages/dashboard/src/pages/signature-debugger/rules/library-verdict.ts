import {
  createVerifier,
  type Verified,
  type WebhookErrorCode,
  WebhookUsageError,
  WebhookVerificationError,
} from '@posthorn/receiver'

/** The verdict of the receivers' library about a request; this page has no verifier of its own. */
export type LibraryVerdict =
  | { readonly ok: true; readonly verified: Verified }
  | { readonly ok: false; readonly code: WebhookErrorCode }

export interface LibraryQuestion {
  readonly header: string
  readonly body: Uint8Array
  readonly secrets: readonly string[]
  readonly nowMs: number
  /** 0 ignores the time. */
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

/** The library's error about a header, with any secret and body; null: none. */
export async function headerFault(header: string): Promise<WebhookErrorCode | null> {
  const anySecret = `whsec_${'0'.repeat(44)}`
  const verdict = await libraryVerdict({
    header,
    body: new Uint8Array(),
    secrets: [anySecret],
    nowMs: 0,
    toleranceSeconds: 0,
  })
  return verdict.ok || verdict.code === 'signature_mismatch' ? null : verdict.code
}

/** The library's error about secrets before any request; null: none. */
export function secretsFault(secrets: readonly string[]): WebhookErrorCode | null {
  try {
    createVerifier({ secrets })
    return null
  } catch (error) {
    if (error instanceof WebhookUsageError) return error.code
    throw error
  }
}
