/** One rule of the signature, and how what was pasted stands to it. */
export interface Rule {
  readonly number: 1 | 2 | 3 | 4 | 5
  /** `unknown`: something that it needs is not there yet. */
  readonly state: 'good' | 'warning' | 'bad' | 'unknown'
  readonly words: string
}
