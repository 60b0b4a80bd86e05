import { createServer, type Socket } from 'node:net'

/**
 * A receiver that costs as little as a receiver can, in a process of its own: it finds the ends of requests, answers
 * 204, and keeps the ledger: which event ids arrived, and how often.
 */
const answer = Buffer.from('HTTP/1.1 204 No Content\r\n\r\n')
const headerEnd = Buffer.from('\r\n\r\n')

let requests = 0
const eventIds = new Set<string>()

const server = createServer({ noDelay: true }, socket => {
  let rest: Buffer = Buffer.alloc(0)
  socket.on('data', (piece: Buffer) => {
    rest = answerAll(socket, rest.length === 0 ? piece : Buffer.concat([rest, piece]))
  })
  socket.on('error', () => {})
})

/** Answers every whole request in the buffer and returns what is left of it. */
function answerAll(socket: Socket, buffer: Buffer): Buffer {
  let offset = 0
  const answers: Buffer[] = []
  for (;;) {
    const bodyAt = buffer.indexOf(headerEnd, offset) + headerEnd.length
    if (bodyAt < headerEnd.length) break
    const head = buffer.toString('latin1', offset, bodyAt)
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (bodyAt + length > buffer.length) break
    const eventId = /\r\nx-service-event-id: ([^\r]+)/i.exec(head)?.[1]
    if (eventId !== undefined) eventIds.add(eventId)
    requests++
    answers.push(answer)
    offset = bodyAt + length
  }
  if (answers.length > 0) socket.write(answers.length === 1 ? answer : Buffer.concat(answers))
  return offset === buffer.length ? Buffer.alloc(0) : buffer.subarray(offset)
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
})
process.on('message', () => process.send?.({ requests, events: eventIds.size }))
process.on('disconnect', () => process.exit())
