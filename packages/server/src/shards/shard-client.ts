import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
  request as http,
} from 'node:http'
import { Agent as HttpsAgent, request as https } from 'node:https'
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { urlToHttpOptions } from 'node:url'
import type { Clock } from '../context.ts'
import type { ShardAddress } from '../domain/shard-list.ts'
import type { NamedKey } from '../seal/named-keys.ts'
import { ShardUnavailable } from './shard-unavailable.ts'
import { operatorHeader } from '../domain/vouched-operator.ts'
import { bodyDigest, frontHeader, shardHeader, signRequest, verifyAnswer } from './sign-request.ts'

export interface ShardClientOptions extends ShardAddress {
  /** The first signs. */
  readonly keys: readonly NamedKey[]
  readonly clock: Pick<Clock, 'nowMs'>
}

export interface ShardRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  /** Those of the caller. What belongs to the caller's connection is left out. */
  readonly headers?: IncomingHttpHeaders
  /** A stream is sent as it arrives; its signature does not cover the content. */
  readonly body?: Uint8Array | Readable | null
  /** The address of the caller; of several, the last counts. */
  readonly forwardedFor?: string
  readonly signal?: AbortSignal
  /** Accepts the answer of a shard with another number, such as one that has not joined yet. */
  readonly acceptsAnyShard?: boolean
}

export interface ShardAnswer {
  readonly status: number
  /** The number of the shard that answered. */
  readonly shard: number
  /** Without those of the connection between front and shard. */
  readonly headers: IncomingHttpHeaders
  readonly body: Readable
}

/** Sends signed requests to one shard over kept connections, and accepts only signed answers. Disposing closes them. */
export class ShardClient implements Disposable {
  readonly number: number
  readonly url: string
  readonly #options: ShardClientOptions
  readonly #signingKey: NamedKey
  readonly #target: RequestOptions

  constructor(options: ShardClientOptions) {
    const [first] = options.keys
    if (first === undefined) throw new Error('a shard client needs a key')
    this.number = options.number
    this.url = options.url
    this.#options = options
    this.#signingKey = first
    this.#target = targetOf(options.url)
  }

  /**
   * Sends a request and resolves when the status and headers of the answer are there. The caller must read its body.
   * @throws ShardUnavailable if no verified answer comes
   */
  async send(request: ShardRequest): Promise<ShardAnswer> {
    const { method, path, body = null, forwardedFor = '', signal } = request
    const digest = body instanceof Readable ? 'stream' : bodyDigest(body)
    const operator = String(request.headers?.[operatorHeader] ?? '')
    const signed = { method, path, forwardedFor, operator, body: digest, ms: this.#options.clock.nowMs() }
    const signature = signRequest(signed, this.#signingKey)
    const headers = {
      ...forwarded(request),
      ...(forwardedFor !== '' && { 'x-forwarded-for': forwardedFor }),
      [frontHeader]: signature.header,
    }
    const { promise, resolve, reject } = Promise.withResolvers<ShardAnswer>()
    const open = this.#target.protocol === 'https:' ? https : http
    const sent = open({ ...this.#target, method, path, headers, setHost: false })
    endOn(signal, sent)
    const connection = watchConnection(sent)
    sent.on('error', error => {
      connection.end()
      reject(
        new ShardUnavailable(this, error.message, { mayHaveArrived: connection.wasOpen(), cause: error }),
      )
    })
    sent.once('response', answer => {
      const header = String(answer.headers[shardHeader] ?? '')
      const shard = verifyAnswer(header, signature, answer.statusCode ?? 0)
      const isWanted = shard === this.number || (shard !== null && request.acceptsAnyShard === true)
      if (isWanted) return resolve(toAnswer(answer, shard))
      answer.destroy()
      // a proxy before the shard answers with 5xx while the shard is down
      const isMisconfigured = (answer.statusCode ?? 0) < 500
      reject(new ShardUnavailable(this, flawOf(answer, shard), { mayHaveArrived: true, isMisconfigured }))
    })
    sendBody(sent, body)
    return await promise
  }

  [Symbol.dispose](): void {
    const { agent } = this.#target
    if (agent instanceof HttpAgent) agent.destroy()
  }
}

/** Why an answer does not count, signed by another shard or by none. */
function flawOf({ statusCode }: IncomingMessage, shard: number | null): string {
  if (shard !== null)
    return `it is shard ${shard}: correct POSTHORN_SHARDS, or add a new shard with posthorn shards add`
  return statusCode === 401
    ? 'it does not accept the signature: compare POSTHORN_SHARD_KEYS and the clocks of both machines'
    : `it answered ${statusCode} without a valid signature: compare POSTHORN_SHARD_KEYS, and check that the URL is that of a shard`
}

/** A dead machine does not refuse connections. */
const connectMsMax = 2_000

/** The longest answers wait for a lock or store a large list. */
const silenceMsMax = 60_000

const freeSocketsMax = 256

function targetOf(url: string): RequestOptions & { servername?: string } {
  const { protocol, hostname, port } = urlToHttpOptions(new URL(url))
  const kept = { keepAlive: true, maxFreeSockets: freeSocketsMax }
  if (protocol !== 'https:') return { protocol, hostname, port, agent: new HttpAgent(kept) }
  // without a name of its own, Node would expect the certificate of the `Host` that is forwarded
  const servername = isIP(hostname ?? '') === 0 ? hostname : ''
  return { protocol, hostname, port, servername: servername ?? '', agent: new HttpsAgent(kept) }
}

/** Ends the request if no connection opens, or if nothing happens on it for long. */
function watchConnection(sent: ClientRequest): { wasOpen: () => boolean; end: () => void } {
  let isOpen = false
  const timer = setTimeout(() => sent.destroy(new Error('it did not accept a connection')), connectMsMax)
  sent.setTimeout(silenceMsMax, () => sent.destroy(new Error(`it was silent for ${silenceMsMax / 1_000} s`)))
  const opened = (): void => {
    isOpen = true
    clearTimeout(timer)
  }
  sent.once('socket', socket => {
    if (!socket.connecting) return opened()
    socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', opened)
  })
  return { wasOpen: () => isOpen, end: () => clearTimeout(timer) }
}

/** With the option `signal`, an abort just before the end of the answer would be an error that nobody can catch. */
function endOn(signal: AbortSignal | undefined, sent: ClientRequest): void {
  if (signal === undefined) return
  const end = (): void => void sent.destroy()
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  sent.once('close', () => signal.removeEventListener('abort', end))
}

function sendBody(sent: ClientRequest, body: Uint8Array | Readable | null): void {
  if (!(body instanceof Readable)) {
    sent.end(body ?? undefined)
    return
  }
  // the shard may refuse the request before the body arrives
  sent.flushHeaders()
  body.on('error', error => sent.destroy(error))
  body.pipe(sent)
}

function toAnswer(answer: IncomingMessage, shard: number): ShardAnswer {
  const { [shardHeader]: _, ...headers } = withoutConnection(answer.headers)
  return { status: answer.statusCode ?? 0, shard, headers, body: answer }
}

/** The headers of the caller, with the length of the body that is really sent. */
function forwarded({ method, headers = {}, body = null }: ShardRequest): OutgoingHttpHeaders {
  const {
    [frontHeader]: _front,
    'x-forwarded-for': _for,
    'content-length': length,
    ...others
  } = withoutConnection(headers)
  // Node would fill in the address of the shard, where a sign-in without TLS may be allowed
  const rest = { ...others, host: headers.host ?? '' }
  if (body instanceof Readable) return { ...rest, ...framing(length) }
  const isEmpty = body === null && (method === 'GET' || method === 'HEAD')
  return isEmpty ? rest : { ...rest, 'content-length': body?.length ?? 0 }
}

/** Node would send the stream of a GET or DELETE without any framing, and the shard would read it as the next request. */
function framing(length: string | undefined): OutgoingHttpHeaders {
  return length === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': length }
}

/** Removes the headers that belong to one connection. */
function withoutConnection(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/)
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  return Object.fromEntries(entries.filter(([name]) => !hopByHop.has(name) && !named.includes(name)))
}

const hopByHop = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
