import type { Socket } from 'node:net'
import { startRawReceiver } from '../egress/raw-receiver.ts'

/** How a receiver behaves. Without these callbacks it only listens. */
export interface Behaviour {
  /** Called when a client has connected. */
  greet?: (socket: Socket) => void
  /** Called for each complete request, with its number. */
  answer?: (socket: Socket, n: number) => void
}

/** A receiver on a raw socket. */
export interface FaultReceiver extends AsyncDisposable {
  readonly port: number
  readonly url: string
  /** The number of complete requests so far. */
  readonly requests: () => number
  /** The number of bytes of the answers that the client has read. */
  readonly sentBytes: () => number
  /** The address of this machine that each connection used. */
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

/** The end of the first request in the text; null if it is not complete. */
function requestEnd(text: string): number | null {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const length = Number(/^content-length: (\d+)$/im.exec(text.slice(0, headEnd))?.[1] ?? 0)
  const end = headEnd + 4 + length
  return text.length < end ? null : end
}
