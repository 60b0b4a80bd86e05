import type { FastifyInstance } from 'fastify'

/**
 * Requests may still arrive that were sent before the client could notice the stop. Without a response, the client would
 * not know whether they were stored.
 */
const lateMs = 250

/**
 * Lets the app close without cutting off requests. It keeps listening for a moment, and each response then closes its
 * connection. Fastify does that only for requests that arrive after the close began. The connections of earlier requests
 * would stay open and delay the close until their idle timeout.
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
