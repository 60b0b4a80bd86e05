/**
 * What tests of a receiver need: real signatures, requests and events. There is no switch that turns
 * verification off; with these, tests need none.
 *
 * @module
 */
import data from './signature-vectors.json' with { type: 'json' }
import type { VectorFile } from './vector-file.ts'

export { sampleEvent } from './sample-event.ts'
export { type SignedRequestOptions, signedRequest } from './signed-request.ts'
export { signHeader, type SignOptions } from './sign-header.ts'
export type { ConfigVector, SignVector, VectorFile, VerifyVector } from './vector-file.ts'

/** The vectors that every implementation must agree on, in any language. */
export const vectors: VectorFile = asVectors(data)

/** TypeScript widens the literals of a JSON file; a test holds the file against its JSON Schema. */
function asVectors(json: unknown): VectorFile {
  return json as VectorFile
}
