import type { Mender } from './mistake.ts'

/** Why no signature matches. */
export interface Explanation {
  readonly sentence: string
  /** Who must fix it; null: the sentence says what to do. */
  readonly mender: Mender | null
}
