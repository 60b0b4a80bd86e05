import type { Translated } from '../sources/source-report.ts'

/** A mail provider whose webhook reports outcomes. */
export interface Provider {
  /** Why a text cannot be the key of a source, as in `must be …`; null if it can. */
  readonly keyFlaw: (key: string) => string | null
  /**
   * Checks that the holder of the key sent the request, and returns what it reports.
   * @throws AppError `unauthorized` if the signature is missing, wrong or too old
   */
  readonly verify: (request: ProviderRequest, key: string, tools: ProviderTools) => Promise<unknown>
  /** Translates what `verify` returned. It is pure, and never throws: what it cannot read is `malformed`. */
  readonly translate: (payload: unknown, accountId: string) => Translated[]
}

/** A request to the URL of a source. */
export interface ProviderRequest {
  /** The value of a header by its name in lower case; empty if it is missing. */
  readonly header: (name: string) => string
  readonly body: Uint8Array
  /**
   * Parses the body, or a text in it, as JSON. What is not valid Unicode becomes U+FFFD.
   * @throws AppError `malformed_json`
   */
  readonly json: (text?: string) => unknown
  /**
   * Parses a body that is a list, in several turns of the event loop; null if it is none.
   * @throws AppError the same as `json`, and `batch_too_large` for more than 10,000 elements
   */
  readonly list: () => Promise<readonly unknown[] | null>
  /** The fields of a form; null if the body is none. */
  readonly form: () => Promise<ReadonlyMap<string, string> | null>
}

export interface ProviderTools {
  readonly nowMs: number
  /** Reads a text of at most 8 KiB with the guarded HTTP client. @throws AppError `overloaded` if that fails */
  readonly read: (url: string) => Promise<string>
  /** Like `read`, but keeps the text for an hour. */
  readonly readKept: (url: string) => Promise<string>
}
