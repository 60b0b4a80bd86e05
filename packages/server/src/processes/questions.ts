import { randomUUID } from 'node:crypto'

/** The end of a channel between two processes: `Worker` of `node:cluster`, on either side. */
export interface Channel {
  isConnected(): boolean
  send(message: object): unknown
  on(event: 'message', listener: (message: unknown) => void): unknown
  off(event: 'message', listener: (message: unknown) => void): unknown
  once(event: 'disconnect', listener: () => void): unknown
  off(event: 'disconnect', listener: () => void): unknown
}

/**
 * Asks the process at the other end; null when it ends before it has answered, or has ended already.
 * @throws Error when it could not answer
 */
export async function askOver(channel: Channel, question: string): Promise<unknown> {
  if (!channel.isConnected()) return null
  const id = randomUUID()
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const onMessage = (message: unknown): void => {
    if (!isAnswer(message) || message.to !== id) return
    if (message.failed) reject(new Error(`no answer to "${question}"`))
    else resolve(message.answer)
  }
  const onEnd = (): void => resolve(null)
  channel.on('message', onMessage)
  channel.once('disconnect', onEnd)
  try {
    channel.send({ question, id } satisfies Question)
    return await promise
  } finally {
    channel.off('message', onMessage)
    channel.off('disconnect', onEnd)
  }
}

/** Answers what the process at the other end asks. What goes wrong is for its log, not for this one's. */
export function answerOver(
  channel: Channel,
  answers: Readonly<Record<string, () => Promise<unknown>>>,
): void {
  channel.on('message', message => {
    if (!isQuestion(message)) return
    const find = answers[message.question]
    if (find === undefined) return
    const say = (answer: Omit<Answer, 'to'>): void => {
      if (channel.isConnected()) channel.send({ to: message.id, ...answer })
    }
    void find().then(
      answer => say({ answer, failed: false }),
      () => say({ answer: null, failed: true }),
    )
  })
}

interface Question {
  question: string
  id: string
}

interface Answer {
  /** The id of the question. */
  to: string
  answer: unknown
  failed: boolean
}

function isQuestion(message: unknown): message is Question {
  return typeof message === 'object' && message !== null && 'question' in message
}

function isAnswer(message: unknown): message is Answer {
  return typeof message === 'object' && message !== null && 'to' in message
}
