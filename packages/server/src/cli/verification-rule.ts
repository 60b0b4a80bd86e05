import type { WebhookErrorCode } from '@posthorn/receiver'

/** Describes the rule of the interface that a delivery breaks. @param signatureHeader the name of the signature header */
export function verificationRule(code: WebhookErrorCode, signatureHeader: string): string {
  switch (code) {
    case 'header_missing':
      return `every delivery has the header ${signatureHeader}.`
    case 'header_malformed':
    case 'header_ambiguous':
      return 'the header is one line of comma-separated parts, t=<unix seconds>,v1=<64 hex characters>, with one t.'
    case 'timestamp_missing':
    case 'timestamp_malformed':
      return 't is the time of signing in seconds since 1970, and consists of digits only.'
    case 'signature_missing':
      return 'at least one part is named v1, or v1s with optional digits, and has 64 hexadecimal characters.'
    case 'signature_mismatch':
      return 'a signature is the HMAC-SHA256 of t, a dot and the exact bytes of the body. Its key is the full secret, including whsec_.'
    case 'timestamp_too_old':
    case 'timestamp_in_future':
      return 't differs from the current time by at most the tolerance (default 300 seconds; --tolerance 0 turns the check off).'
    case 'secret_missing':
    case 'secret_empty':
    case 'secret_whitespace':
    case 'secret_too_short':
    case 'secret_wrong_kind':
    case 'secrets_too_many':
      return 'a secret is whsec_ and 44 characters (43 if it is old), as shown when the endpoint or key was created. A verifier takes at most ten.'
    case 'event_changed':
    case 'tolerance_invalid':
    case 'option_invalid':
    case 'crypto_unavailable':
    case 'store_unavailable':
      return 'the configuration of the verifier must be correct. The delivery did not cause this error.'
    case 'body_missing':
    case 'body_already_parsed':
    case 'body_already_consumed':
    case 'payload_too_large':
    case 'payload_not_json':
    case 'payload_not_event':
      return 'the body is the exact bytes that were received, before any parsing.'
  }
}
