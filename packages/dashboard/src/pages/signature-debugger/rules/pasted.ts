/** What somebody wants to have explained, as it was pasted. */
export interface Pasted {
  /** The value of `X-Service-Signature`, or the whole line with its name. */
  readonly header: string
  /** Without the fields that were left empty. */
  readonly secrets: readonly string[]
  /** Null while there is none. */
  readonly body: Uint8Array<ArrayBuffer> | null
  /** The moment at which a receiver would judge it. */
  readonly nowMs: number
}
