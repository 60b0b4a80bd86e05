import { randomUUID } from 'node:crypto'

/** One end of a channel between two processes: a `Worker` of `node:cluster`, in either process. */
export interface Channel {
  isConnected(): boolean
  send(message: object): unknown
  on(event: 'message', listener: (message: unknown) => void): unknown
  off(event: 'message', listener: (message: unknown) => void): unknown
  once(event: 'disconnect', listener: () => void): unknown
  off(event: 'disconnect', listener: () => void): unknown
}

/**
 * Sends a request to the process at the other end. Returns null if that process exits before it answers, or does not answer
 * in time.
 * @param timeoutMs waits without a limit if left out
 * @throws Error if the process could not answer
 */
export async function request(channel: Channel, name: string, timeoutMs?: number): Promise<unknown> {
  if (!channel.isConnected()) return null
  const id = randomUUID()
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const onMessage = (message: unknown): void => {
    if (!isResponseMessage(message) || message.to !== id) return
    if (message.failed) reject(new Error(`no answer to "${name}"`))
    else resolve(message.answer)
  }
  const onDisconnect = (): void => resolve(null)
  channel.on('message', onMessage)
  channel.once('disconnect', onDisconnect)
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => resolve(null), timeoutMs)
  try {
    channel.send({ request: name, id } satisfies RequestMessage)
    return await promise
  } finally {
    clearTimeout(timer)
    channel.off('message', onMessage)
    channel.off('disconnect', onDisconnect)
  }
}

/** Answers the requests of the process at the other end. */
export function respond(channel: Channel, handlers: Readonly<Record<string, () => Promise<unknown>>>): void {
  channel.on('message', message => {
    if (!isRequestMessage(message)) return
    const handle = handlers[message.request]
    if (handle === undefined) return
    const send = (response: Omit<ResponseMessage, 'to'>): void => {
      if (channel.isConnected()) channel.send({ to: message.id, ...response })
    }
    void handle().then(
      answer => send({ answer, failed: false }),
      () => send({ answer: null, failed: true }),
    )
  })
}

interface RequestMessage {
  request: string
  id: string
}

interface ResponseMessage {
  /** The id of the request. */
  to: string
  answer: unknown
  failed: boolean
}

function isRequestMessage(message: unknown): message is RequestMessage {
  return typeof message === 'object' && message !== null && 'request' in message
}

function isResponseMessage(message: unknown): message is ResponseMessage {
  return typeof message === 'object' && message !== null && 'to' in message
}
