/** In what way what came is no answer. */
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

/** What the receiver sent is no answer of HTTP/1.1. */
export class BrokenAnswer extends Error {
  override readonly name = 'BrokenAnswer'
  readonly flaw: Flaw

  constructor(flaw: Flaw) {
    super(flaw)
    this.flaw = flaw
  }
}
