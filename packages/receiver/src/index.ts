/**
 * Verifies the signed webhooks of Posthorn, in every JavaScript runtime with Web Crypto.
 *
 * @module
 */
export type { RawBody } from './body-bytes.ts'
export type { VerifierOptions } from './check-options.ts'
export { createVerifier, type SafeVerified, type WebhookVerifier } from './create-verifier.ts'
export {
  WebhookError,
  type WebhookErrorCode,
  WebhookPayloadError,
  WebhookUsageError,
  WebhookVerificationError,
} from './errors.ts'
export type {
  EmailBouncedData,
  EmailComplainedData,
  EmailDeferredData,
  EmailDeliveredData,
  EmailEventData,
  EmailFailedData,
  EmailSuppressedData,
  EmailUnsubscribedData,
  RemoteMta,
  SmtpResponse,
} from './event-data.ts'
export {
  type AnyEvent,
  type Envelope,
  type EventMap,
  isEvent,
  isKnownEvent,
  type KnownEvent,
  type WebhookEvent,
} from './events.ts'
export type { HeaderInput, HeaderLookup } from './header-line.ts'
export type { SignatureMatch, Verified } from './judge.ts'
export type { Processed } from './process-once.ts'
export type { HandlerContext, HandlerOptions } from './receive.ts'
export { type Routes, route } from './route.ts'
export type { WebhookHandler } from './to-handler.ts'
export { verifyWebhook } from './verify-webhook.ts'
export { verifiedParts } from './verified-parts.ts'
