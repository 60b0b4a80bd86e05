/** A new secret, kept only in the memory of one component. */
export interface FreshlyMade {
  readonly keyId: string
  readonly secret: string
  /** It was copied, or ticked as saved. */
  readonly isSaved: boolean
}
