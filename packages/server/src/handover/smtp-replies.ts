import type { Duplex } from 'node:stream'

/** A complete reply of a mail server. */
export interface SmtpReply {
  readonly code: number
  /** All lines, including codes. */
  readonly text: string
}

const replyLengthMax = 65_536

/** Reads the replies on a connection, one for each command. */
export class SmtpReplies {
  readonly #stream: Duplex
  #partial = ''
  /** The size of what was read and not returned yet. */
  #length = 0
  #lines: string[] = []
  readonly #read: SmtpReply[] = []
  #waiting: PromiseWithResolvers<SmtpReply> | null = null
  #ended: Error | null = null
  readonly #onData = (chunk: Buffer): void => this.#receive(chunk)

  constructor(stream: Duplex) {
    this.#stream = stream
    stream.on('data', this.#onData)
    stream.on('error', (error: Error) => this.#end(error))
    stream.on('close', () => this.#end(new Error('The connection was closed.')))
  }

  /** The next reply. Rejects if the connection ends first. */
  async next(): Promise<SmtpReply> {
    const read = this.#read.shift()
    if (read !== undefined) return read
    if (this.#ended !== null) throw this.#ended
    this.#waiting = Promise.withResolvers()
    return await this.#waiting.promise
  }

  /** Whether no bytes came without a command. */
  get isClean(): boolean {
    return this.#ended === null && this.#partial === '' && this.#lines.length + this.#read.length === 0
  }

  /** @throws Error if some did, or if the connection has ended */
  expectClean(): void {
    if (this.#ended !== null) throw this.#ended
    if (!this.isClean) throw new Error('The mail server sent a reply before the command.')
  }

  /** Stops reading, so that TLS can take over the connection. */
  release(): void {
    this.#stream.off('data', this.#onData)
  }

  #receive(chunk: Buffer): void {
    const text = chunk.toString('latin1')
    // a line that comes byte by byte is not split again for each
    const parts = text.includes('\n') ? (this.#partial + text).split('\n') : [this.#partial + text]
    this.#partial = parts.pop() ?? ''
    for (const part of parts) {
      const line = part.replace(/\r$/, '')
      this.#lines.push(line)
      this.#length += line.length
      if (/^\d{3}-/.test(line)) continue
      if (!/^[2-5]\d\d(?: |$)/.test(line)) return this.#fail('The mail server does not speak SMTP.')
      this.#settle()
    }
    if (this.#lines.length + this.#read.length === 0) this.#length = 0
    if (this.#length + this.#partial.length > replyLengthMax)
      this.#fail('The reply of the mail server is too long.')
  }

  #settle(): void {
    const text = decoded(this.#lines.join('\n'))
    const waiting = this.#waiting
    this.#lines = []
    this.#waiting = null
    const reply = { code: Number(text.slice(0, 3)), text }
    if (waiting === null) this.#read.push(reply)
    else waiting.resolve(reply)
  }

  #fail(message: string): void {
    const error = new Error(message)
    this.#end(error)
    this.#stream.destroy(error)
  }

  #end(error: Error): void {
    this.#ended ??= error
    this.#waiting?.reject(this.#ended)
    this.#waiting = null
  }
}

function decoded(latin1: string): string {
  const bytes = Buffer.from(latin1, 'latin1')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return latin1
  }
}
