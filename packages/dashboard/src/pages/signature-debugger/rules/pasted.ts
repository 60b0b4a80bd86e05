/** The pasted request to explain. */
export interface Pasted {
  /** The value of the signature header, or the whole line with its name. */
  readonly header: string
  /** Without empty fields. */
  readonly secrets: readonly string[]
  /** Null if there is none. */
  readonly body: Uint8Array<ArrayBuffer> | null
  /** The time of the receiver's check. */
  readonly nowMs: number
}
