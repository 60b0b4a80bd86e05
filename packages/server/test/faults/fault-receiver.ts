import type { Socket } from 'node:net'
import { startRawReceiver } from '../egress/raw-receiver.ts'

/** What a receiver does, however wrong. What is left out it does not do: then it only listens. */
export interface Behaviour {
  /** As soon as somebody has connected. */
  greet?: (socket: Socket) => void
  /** To a whole request, the n-th of this receiver. */
  answer?: (socket: Socket, n: number) => void
}

/** A receiver on a raw socket. */
export interface FaultReceiver extends AsyncDisposable {
  readonly port: number
  readonly url: string
  /** Whole requests that it was sent so far. */
  readonly requests: () => number
  /** How much its answers came to, as far as they were taken. */
  readonly sentBytes: () => number
  /** Which of this machine's addresses each connection came to. */
  readonly reachedAt: readonly string[]
}

/** @param host `::` for every address of this machine, of both families */
export async function startFaultReceiver(behaviour: Behaviour, host = '127.0.0.1'): Promise<FaultReceiver> {
  const unread = new WeakMap<Socket, string>()
  const reachedAt: string[] = []
  let requests = 0
  const receiver = await startRawReceiver(
    (socket, text) => {
      let rest = (unread.get(socket) ?? '') + text
      for (let end = requestEnd(rest); end !== null; end = requestEnd(rest)) {
        rest = rest.slice(end)
        requests++
        behaviour.answer?.(socket, requests)
      }
      unread.set(socket, rest)
    },
    socket => {
      reachedAt.push(String(socket.localAddress).replace(/^::ffff:/, ''))
      behaviour.greet?.(socket)
    },
    host,
  )
  return {
    port: receiver.port,
    url: receiver.url,
    requests: () => requests,
    sentBytes: () => receiver.connections.reduce((sum, socket) => sum + socket.bytesWritten, 0),
    reachedAt,
    [Symbol.asyncDispose]: async () => await receiver[Symbol.asyncDispose](),
  }
}

/** Where the first request in these bytes ends; null while it is not whole. */
function requestEnd(text: string): number | null {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const length = Number(/^content-length: (\d+)$/im.exec(text.slice(0, headEnd))?.[1] ?? 0)
  const end = headEnd + 4 + length
  return text.length < end ? null : end
}
