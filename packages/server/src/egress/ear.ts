import type { OnReadOpts } from 'node:net'

/** Called with what was heard. The bytes are good until it returns: whoever wants them for longer copies them. */
export type Listener = (bytes: Buffer) => void

/** Where sockets read into: each has told its listener before the next one reads. */
const shared = Buffer.allocUnsafeSlow(65_536)

/**
 * What one socket hears that has no TLS. All of them read into the same bytes, where a socket left to itself makes new ones
 * for each piece and passes them through a stream, which takes longer than to read an answer.
 */
export class Ear {
  /** For `connect` of `node:net`. */
  readonly onread: OnReadOpts = {
    buffer: shared,
    callback: length => {
      this.#listener(shared.subarray(0, length))
      return true
    },
  }
  // whoever opens the socket listens before the event loop reads from it
  #listener: Listener = () => {}

  listen(listener: Listener): void {
    this.#listener = listener
  }
}
