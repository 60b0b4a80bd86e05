/** Who has to mend it: the receiver that reads the body, whoever set the secret, or the code that made the header. */
export type Mender = 'body' | 'secret' | 'signer'

/** Something that usually goes wrong, with what is there if it is undone. */
export interface Mistake<Undone> {
  /** What happened, as the rest of `Why 4 fails: `. */
  readonly was: string
  /** How the signature matches, as the rest of `The signature matches `. */
  readonly fits: string
  readonly mender: Mender
  readonly undone: Undone
}
