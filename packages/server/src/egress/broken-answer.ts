/** Why the received bytes are not a valid answer. */
export type Flaw =
  | 'closed'
  | 'not http'
  | 'http2'
  | 'too early'
  | 'headers'
  | 'line ends'
  | 'too large'
  | 'chunks'
  | 'upgrade'

/** The receiver's bytes are not a valid HTTP/1.1 answer. */
export class BrokenAnswer extends Error {
  override readonly name = 'BrokenAnswer'
  readonly flaw: Flaw

  constructor(flaw: Flaw) {
    super(flaw)
    this.flaw = flaw
  }
}
