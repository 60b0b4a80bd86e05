/**
 * Real signatures, requests and events for the tests of a receiver. With them, no test has to turn off verification.
 *
 * @module
 */
import data from './signature-vectors.json' with { type: 'json' }
import type { VectorFile } from './vector-file.ts'

export { sampleEvent } from './sample-event.ts'
export { type SignedRequestOptions, signedRequest } from './signed-request.ts'
export { signHeader, type SignOptions } from './sign-header.ts'
export type { ConfigVector, SignVector, VectorFile, VerifyVector } from './vector-file.ts'

/** Test vectors for implementations in any language. */
export const vectors: VectorFile = asVectors(data)

/** TypeScript widens the literals of a JSON file. A test checks the file against its JSON Schema. */
function asVectors(json: unknown): VectorFile {
  return json as VectorFile
}
