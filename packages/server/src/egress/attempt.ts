import type { AnswerHead } from './answer-head.ts'
import type { AttemptError } from '../domain/attempt-error.ts'
import { answerLimits, previewBody } from './answer-preview.ts'
import { AttemptFailure, errorCode } from './attempt-failure.ts'
import type { Waiter } from './connection-line.ts'
import type { Connection, Exchanging } from './connection.ts'
import { describeBrokenAnswer, describeStatus, malformed, unknownFailure } from './describe-answer.ts'
import type { Deadline, Expirable } from './deadline-queue.ts'
import { describeDeadline } from './describe-deadline.ts'
import { type Certificate, type Exchange, noPhases } from './egress.ts'
import { Opening } from './opening.ts'
import type { OutgoingRequest } from './request-bytes.ts'
import type { Target } from './targets.ts'

const interimAnswersMax = 32
/** What a server says that closes a connection on which it did not read a request in time (RFC 9110 §15.5.9). */
const requestTimeout = 408

/** What an attempt needs of the egress that makes it. */
export interface AttemptHost {
  readonly attemptTimeoutMs: number
  readonly monotonicMs: () => number
  /** An idle connection, or null. */
  takeIdle(target: Target): Connection | null
  /** Rejects with `AttemptFailure`. Meanwhile the waiter is offered what becomes idle. */
  open(target: Target, opening: Opening, waiter: Waiter): Promise<Connection>
  /** A connection that is open has nothing to do. */
  rests(connection: Connection): void
  /** The headers are complete: from here on the time for reading the rest counts as well. */
  reading(attempt: Attempt): void
  /** The attempt is over and the connection, if one is given, fit for another. */
  ended(attempt: Attempt, reusable: Connection | null): void
}

/**
 * One request and its answer: finds a connection, sends, reads, settles exactly once. It is the client's handler and
 * its own record, so that a request costs one object.
 */
export class Attempt implements Exchanging, Expirable, Waiter {
  readonly request: OutgoingRequest
  readonly startedAtMs: number
  /** Until when it is to be over, and to have read what follows the headers. */
  deadline: Deadline<Attempt> | null = null
  readDeadline: Deadline<Attempt> | null = null
  readonly #host: AttemptHost
  readonly #target: Target
  readonly #settle: (exchange: Exchange) => void
  #settled = false
  #stage: 'connect' | 'send' | 'answer' = 'connect'
  #phases = noPhases()
  #certificate: Certificate | null = null
  /** While it waits for a connection of its own. */
  #opening: Opening | null = null
  #connection: Connection | null = null
  #written = false
  #sentAgain = false
  #sentAtMs = 0
  #interimAnswers = 0
  /** Of the final answer. */
  #head: AnswerHead | null = null
  #chunks: Buffer[] = []
  #readBytes = 0
  #complete = false

  constructor(
    host: AttemptHost,
    target: Target,
    request: OutgoingRequest,
    settle: (exchange: Exchange) => void,
  ) {
    this.#host = host
    this.#target = target
    this.request = request
    this.#settle = settle
    this.startedAtMs = host.monotonicMs()
  }

  start(): void {
    const { line } = this.#target.origin
    const idle = this.#host.takeIdle(this.#target)
    if (idle !== null) this.#send(idle)
    else if (line.isFree) this.openOwn()
    else line.wait(this)
  }

  get settled(): boolean {
    return this.#settled
  }

  takeIdle(): boolean {
    const idle = this.#host.takeIdle(this.#target)
    if (idle === null) return false
    this.#opening = null
    this.#send(idle)
    return true
  }

  openOwn(): void {
    void this.#sendOnNew(new Opening())
  }

  /** Ends the attempt from outside, for whatever reason. */
  abort(error: AttemptError): void {
    this.#end(error)
  }

  /** The wall clock ran out: for the attempt, or for reading what follows the headers. */
  expire(): void {
    const left = this.#connection?.unsentBytes ?? 0
    const { host } = this.#target.origin
    const stage = this.#opening?.stage ?? this.#stage
    this.#end(describeDeadline(stage, host, this.#interimAnswers, left, this.#host.attemptTimeoutMs))
  }

  written(): void {
    this.#written = true
    this.#sentAtMs = this.#host.monotonicMs()
  }

  answering(): void {
    this.#phases.firstByteMs = this.#host.monotonicMs() - this.#sentAtMs
    this.#stage = 'answer'
  }

  head(head: AnswerHead): void {
    if (this.#settled) return
    if (head.status < 200) {
      this.#interimAnswers += 1
      if (this.#interimAnswers <= interimAnswersMax) return
      const cause = `Your server sent more than ${interimAnswersMax} interim answers (1xx) and no final one.`
      return this.#end(malformed(this.#target.origin.port, cause))
    }
    if (head.status === requestTimeout && this.#mayBeSentAgain) return this.#sendAgain()
    this.#head = head
    this.#host.reading(this)
  }

  body(bytes: Buffer): void {
    // without a head it is that of an answer that does not count
    if (this.#settled || this.#head === null) return
    if (this.#readBytes < answerLimits.failureBytes) this.#chunks.push(Buffer.from(bytes))
    this.#readBytes += bytes.length
    if (this.#readBytes > answerLimits.readBytes) this.#end(null)
  }

  over(reusable: boolean): void {
    this.#complete = true
    this.#end(null, reusable ? this.#connection : null)
  }

  broken(error: Error): void {
    if (this.#settled) return
    const wasIdle = this.#connection?.wasIdle === true
    if (wasIdle && !this.#written) return this.openOwn()
    if (this.#stage === 'send' && this.#mayBeSentAgain) return this.#sendAgain()
    this.#end(describeBrokenAnswer(error, this.#target.origin))
  }

  /**
   * A receiver may close an idle connection at any moment, so a request that was written just then is sent once more
   * (RFC 9112 §9.3.1). If it was read all the same an answer was lost, and the event arrives twice under its id.
   */
  get #mayBeSentAgain(): boolean {
    return this.#connection?.wasIdle === true && !this.#sentAgain
  }

  #sendAgain(): void {
    this.#sentAgain = true
    this.#target.origin.reuse.refuse()
    this.#connection?.destroy()
    this.openOwn()
  }

  /** Whoever got another connection meanwhile leaves this one to others, and hears nothing of it if it fails. */
  async #sendOnNew(opening: Opening): Promise<void> {
    this.#opening = opening
    try {
      const connection = await this.#host.open(this.#target, opening, this)
      if (this.#opening !== opening) return this.#host.rests(connection)
      this.#learn(opening)
      this.#send(connection)
    } catch (error) {
      if (this.#opening === opening) this.#end(inWords(error))
    }
  }

  /** What the opening of its own connection has shown, whether it came to an end or not. */
  #learn({ phases, certificate }: Opening): void {
    this.#opening = null
    this.#phases = phases
    this.#certificate = certificate
  }

  #send(connection: Connection): void {
    this.#connection = connection
    this.#certificate = connection.certificate
    this.#stage = 'send'
    try {
      connection.send(this.#target.path, this.request, this)
    } catch (error) {
      this.#end(unknownFailure(`the request cannot be sent (${error instanceof Error ? error.message : ''})`))
    }
  }

  /** With complete headers the status decides, whatever happened after them. */
  #end(trouble: AttemptError | null, reusable: Connection | null = null): void {
    if (this.#settled) return
    this.#settled = true
    if (this.#opening !== null) {
      this.#opening.giveUp(over)
      this.#learn(this.#opening)
    }
    if (reusable === null) this.#connection?.destroy()
    this.#host.ended(this, reusable)
    this.#settle(this.#exchange(trouble))
  }

  #exchange(trouble: AttemptError | null): Exchange {
    const status = this.#head?.status ?? null
    const success = status !== null && status < 300
    const error =
      status === null
        ? trouble
        : success
          ? null
          : describeStatus(status, this.#head?.location ?? null, this.request.url)
    const keptBytes = success ? answerLimits.successBytes : answerLimits.failureBytes
    return {
      outcome: success ? 'success' : 'failure',
      statusCode: status,
      error,
      phases: this.#phases,
      certificate: this.#certificate,
      durationMs: this.#host.monotonicMs() - this.startedAtMs,
      responseHeaders: this.#head?.shown ?? null,
      responseBody: this.#readBytes === 0 ? null : previewBody(this.#chunks, keptBytes),
      responseTruncated: status !== null && (!this.#complete || this.#readBytes > keptBytes),
      retryAfter: this.#head?.retryAfter ?? null,
      verifiedParts: this.#head?.verifiedParts ?? null,
    }
  }
}

/** Why the opening of a connection is given up: nobody waits for it any more. */
const over = new AttemptFailure('unknown', unknownFailure('it is over').message)

function inWords(error: unknown): AttemptError {
  if (error instanceof AttemptFailure) return { code: error.code, message: error.message }
  const code = errorCode(error)
  return unknownFailure(`the connection could not be opened${code === '' ? '' : ` (${code})`}`)
}
