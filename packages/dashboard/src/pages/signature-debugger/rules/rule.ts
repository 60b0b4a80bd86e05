/** One rule of the signature, with its result. */
export interface Rule {
  readonly number: 1 | 2 | 3 | 4 | 5
  /** `unknown`: a field that the rule needs is empty. */
  readonly state: 'good' | 'warning' | 'bad' | 'unknown'
  readonly words: string
}
