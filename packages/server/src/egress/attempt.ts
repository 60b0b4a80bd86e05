import type { AttemptError } from '../domain/attempt-error.ts'
import type { AnswerHead } from './answer-head.ts'
import type { AnswerSink } from './answer-parser.ts'
import { answerLimits, previewBody } from './answer-preview.ts'
import { attemptError } from './attempt-failure.ts'
import type { ConnectionPool } from './connection-pool.ts'
import type { Connection } from './connection.ts'
import { describeBrokenAnswer, describeDeadline, describeStatus, malformed } from './describe-answer.ts'
import { describeConnectError } from './describe-connect-error.ts'
import { type Certificate, type Exchange, noPhases } from './egress.ts'
import type { Handshake } from './handshake.ts'
import type { Origin } from './origin.ts'
import type { OutgoingRequest } from './request-bytes.ts'
import type { Target } from './targets.ts'

/** The time limit for reading the body, within the time limit of the attempt. */
const answerReadMs = 2_000
const interimAnswersMax = 32
/** A server sends this status before it closes an idle connection (RFC 9110 §15.5.9). */
const requestTimeout = 408

/** Dependencies that all attempts of an egress share. */
export interface AttemptTools {
  readonly attemptTimeoutMs: number
  readonly monotonicMs: () => number
  readonly pool: ConnectionPool
  /** In lower case. */
  readonly verifiedHeader: string
}

/** One request and its answer. It gets a connection, sends, reads, and settles exactly once. */
export class Attempt implements AnswerSink {
  readonly origin: Origin
  readonly path: string
  readonly request: OutgoingRequest
  readonly #tools: AttemptTools
  readonly #settle: (exchange: Exchange) => void
  readonly #startedAtMs: number
  readonly #timeoutMs: number
  #deadline: NodeJS.Timeout | undefined
  #settled = false
  #stage: 'connect' | 'send' | 'answer' = 'connect'
  #phases = noPhases()
  #certificate: Certificate | null = null
  #connection: Connection | null = null
  #sentAgain = false
  #sentAtMs = 0
  #interimAnswers = 0
  /** The head of the final answer. */
  #head: AnswerHead | null = null
  #isReading = false
  #chunks: Buffer[] = []
  #readBytes = 0
  #isComplete = false

  constructor(
    tools: AttemptTools,
    { origin, path }: Target,
    request: OutgoingRequest,
    settle: (exchange: Exchange) => void,
  ) {
    this.#tools = tools
    this.origin = origin
    this.path = path
    this.request = request
    this.#settle = settle
    this.#startedAtMs = tools.monotonicMs()
    this.#timeoutMs = request.timeoutMs ?? tools.attemptTimeoutMs
  }

  start(): void {
    this.#expireAfter(this.#timeoutMs)
    this.#connect()
  }

  /** The pool calls this with a connection. */
  connected(connection: Connection): void {
    this.#connection = connection
    this.#certificate = connection.certificate
    this.#phases = connection.takePhases()
    this.#stage = 'send'
    try {
      connection.send(this)
    } catch (error) {
      const why = error instanceof Error ? error.message : ''
      this.end(attemptError('unknown', { reason: `the request cannot be sent (${why})` }))
    }
  }

  /** The pool calls this if it could not open a connection. */
  notConnected(handshake: Handshake, error: unknown): void {
    this.#copyFrom(handshake)
    this.end(describeConnectError(error, this.origin))
  }

  /** The request was written to the socket. */
  written(): void {
    this.#sentAtMs = this.#tools.monotonicMs()
  }

  /** The first byte of an answer has arrived. */
  answering(): void {
    this.#phases.firstByteMs = this.#tools.monotonicMs() - this.#sentAtMs
    this.#stage = 'answer'
  }

  head(head: AnswerHead): void {
    if (this.#settled) return
    if (head.status < 200) {
      this.#interimAnswers += 1
      if (this.#interimAnswers <= interimAnswersMax) return
      const cause = `Your server sent more than ${interimAnswersMax} interim answers (1xx) and no final one.`
      return this.end(malformed(this.origin.port, cause))
    }
    if (head.status === requestTimeout && this.#mayBeSentAgain) return this.#sendAgain()
    this.#head = head
  }

  body(bytes: Buffer): void {
    // without a head, the body belongs to an answer that was ignored
    if (this.#settled || this.#head === null) return
    if (this.#readBytes < answerLimits.failureBytes) this.#chunks.push(Buffer.from(bytes))
    this.#readBytes += bytes.length
    if (this.#readBytes > answerLimits.readBytes) this.end(null)
  }

  /** More of the answer is to come. */
  reading(): void {
    if (this.#head === null || this.#isReading) return
    this.#isReading = true
    const leftMs = this.#startedAtMs + this.#timeoutMs - this.#tools.monotonicMs()
    this.#expireAfter(Math.min(answerReadMs, leftMs))
  }

  /** The whole answer has been read. */
  completed(isReusable: boolean): void {
    this.#isComplete = true
    this.end(null, isReusable)
  }

  /** The answer cannot be completed. @param error a `BrokenAnswer` or an error of the socket */
  broken(error: Error): void {
    if (this.#settled) return
    if (this.#connection?.wasIdle === true && !this.#connection.written) return this.#connect()
    if (this.#stage === 'send' && this.#mayBeSentAgain) return this.#sendAgain()
    this.end(describeBrokenAnswer(error, this.origin))
  }

  /**
   * A receiver may close an idle connection while a request is being written, so such a request is sent once more
   * (RFC 9112 §9.3.1). If the receiver did read it, the event arrives twice with the same id.
   */
  get #mayBeSentAgain(): boolean {
    return this.#connection?.wasIdle === true && !this.#sentAgain
  }

  /** Sends on a new connection, because `refuseReuse` rules out idle ones. */
  #sendAgain(): void {
    this.#sentAgain = true
    this.origin.refuseReuse()
    this.#connection?.destroy()
    this.#connect()
  }

  #connect(): void {
    this.#stage = 'connect'
    this.#connection = null
    this.#tools.pool.connect(this)
  }

  #expireAfter(ms: number): void {
    clearTimeout(this.#deadline)
    this.#deadline = setTimeout(() => this.#expire(), ms)
  }

  /** The time limit of the attempt, or of reading the body, has passed. */
  #expire(): void {
    const stage = this.#stopWaiting()?.stage ?? this.#stage
    const unsentBytes = this.#connection?.unsentBytes ?? 0
    this.end(describeDeadline(stage, this.origin.host, this.#interimAnswers, unsentBytes, this.#timeoutMs))
  }

  /** @returns the oldest handshake that this attempt was waiting for, if any */
  #stopWaiting(): Handshake | null {
    const handshake = this.#tools.pool.leave(this)
    if (handshake !== null) this.#copyFrom(handshake)
    return handshake
  }

  /** Copies the phases and the certificate of a handshake that produced no connection. */
  #copyFrom({ phases, certificate }: Handshake): void {
    this.#phases = { ...phases }
    this.#certificate = certificate
  }

  /** Settles the attempt once. If the headers are complete, the status decides and later errors do not count. */
  end(error: AttemptError | null, isReusable = false): void {
    if (this.#settled) return
    this.#settled = true
    clearTimeout(this.#deadline)
    if (this.#connection === null) this.#stopWaiting()
    else if (isReusable) this.#tools.pool.release(this.#connection)
    else this.#connection.destroy()
    this.#settle(this.#exchange(error))
  }

  #exchange(errorBeforeStatus: AttemptError | null): Exchange {
    const status = this.#head?.status ?? null
    const success = status !== null && status < 300
    const error =
      status === null
        ? errorBeforeStatus
        : success
          ? null
          : describeStatus(status, this.#head?.location ?? null, this.request.url)
    const isShort = success && this.request.isRead !== true
    const keptBytes = isShort ? answerLimits.successBytes : answerLimits.failureBytes
    return {
      outcome: success ? 'success' : 'failure',
      statusCode: status,
      error,
      phases: this.#phases,
      certificate: this.#certificate,
      durationMs: this.#tools.monotonicMs() - this.#startedAtMs,
      responseHeaders: this.#head?.shown ?? null,
      responseBody: this.#readBytes === 0 ? null : previewBody(this.#chunks, keptBytes),
      responseTruncated: status !== null && (!this.#isComplete || this.#readBytes > keptBytes),
      retryAfter: this.#head?.retryAfter ?? null,
      verifiedParts: this.#head?.proofs[this.#tools.verifiedHeader] ?? null,
    }
  }
}
