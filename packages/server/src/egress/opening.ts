import type { AttemptFailure } from './attempt-failure.ts'
import { type Certificate, noPhases, type Phases } from './egress.ts'

/** A connection that is being opened: how far that is, and what has been learnt on the way. */
export class Opening {
  /** For the words in which a deadline is reported. */
  stage: 'dns' | 'connect' | 'tls' = 'dns'
  readonly phases: Phases = noPhases()
  certificate: Certificate | null = null
  readonly #abort = new AbortController()

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** It ends by rejecting with the reason, unless it has ended before. */
  giveUp(reason: AttemptFailure): void {
    this.#abort.abort(reason)
  }
}
