/** A secret that was just made: in the memory of one component, and nowhere else. */
export interface FreshlyMade {
  readonly keyId: string
  readonly secret: string
  /** It was copied, or said to be saved. */
  readonly isSaved: boolean
}
