/**
 * Shows why a request fails verification. It reads a header without judging it, and computes signatures with any key.
 *
 * @module
 */
export { computeSignature, type SignatureInput } from './compute-signature.ts'
export { type SignaturePart, signatureParts } from './signature-parts.ts'
