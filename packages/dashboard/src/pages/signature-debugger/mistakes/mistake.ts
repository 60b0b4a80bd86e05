/**
 * Who must fix it: the receiver that reads the body, the person who set the secret, or the code that created the
 * header.
 */
export type Mender = 'body' | 'secret' | 'signer'

/** A common mistake, with the input without it. */
export interface Mistake<Undone> {
  /** What happened, as the rest of `Why 4 fails: `. */
  readonly was: string
  /** How the signature matches, as the rest of `The signature matches `. */
  readonly fits: string
  readonly mender: Mender
  readonly undone: Undone
}
