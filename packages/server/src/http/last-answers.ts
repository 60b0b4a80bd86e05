import type { FastifyInstance } from 'fastify'

/**
 * What was sent before its sender could know of the stop is still on its way, or waits to be read: closing its connection
 * would leave whoever reports in doubt.
 */
const lateMs = 250

/**
 * Makes the app close so that no request is cut off. For a moment it goes on to listen, and from then on each answer ends
 * its connection. Fastify says that by itself, but only to requests that arrive after the close began: the connection of
 * one that was under way would stay open, and the close would wait until it was idle for as long as one may be.
 */
export function sayLastAnswers(app: FastifyInstance, wait: (ms: number) => Promise<void>): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
    await wait(lateMs)
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) void reply.header('connection', 'close')
    done(null, payload)
  })
}
