import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { Arrivals } from './arrivals.ts'
import type { Behaviour, FromReceiver, ToReceiver } from './receiver-process.ts'

/**
 * A receiver in its own process that uses as little CPU as possible. It finds the ends of requests, answers according to
 * the first segment of their path, and records all arrivals.
 */
const answers = {
  ok: Buffer.from('HTTP/1.1 204 No Content\r\n\r\n'),
  fail: Buffer.from('HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n'),
}
const headerEnd = Buffer.from('\r\n\r\n')
const arrivals = new Arrivals()
const behaviours = new Map<string, Behaviour>()
const hanging = new Map<string, Set<Socket>>()

const [key, cert] = process.argv.slice(2)
const server =
  key === undefined || cert === undefined
    ? createServer({ noDelay: true }, serve)
    : createTlsServer({ key, cert, noDelay: true }, serve)

function serve(socket: Socket): void {
  let rest: Buffer = Buffer.alloc(0)
  socket.on('data', (piece: Buffer) => {
    rest = answerAll(socket, rest.length === 0 ? piece : Buffer.concat([rest, piece]))
  })
  socket.on('error', () => {})
}

/** Answers every complete request in the buffer and returns the rest. */
function answerAll(socket: Socket, buffer: Buffer): Buffer {
  let offset = 0
  const now: Buffer[] = []
  for (;;) {
    const bodyAt = buffer.indexOf(headerEnd, offset) + headerEnd.length
    if (bodyAt < headerEnd.length) break
    const head = buffer.toString('latin1', offset, bodyAt)
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (bodyAt + length > buffer.length) break
    const group = arrivals.record(head, buffer.subarray(bodyAt, bodyAt + length))
    const behaviour = behaviours.get(group) ?? 'ok'
    if (behaviour === 'ok' || typeof behaviour === 'object') arrivals.acknowledge(group)
    if (behaviour === 'hang') hang(group, socket)
    else answer(socket, behaviour, now)
    offset = bodyAt + length
  }
  if (now.length > 0) socket.write(now.length === 1 ? (now[0] ?? answers.ok) : Buffer.concat(now))
  return offset === buffer.length ? Buffer.alloc(0) : buffer.subarray(offset)
}

function hang(group: string, socket: Socket): void {
  const sockets = hanging.get(group) ?? new Set()
  hanging.set(group, sockets.add(socket))
  socket.once('close', () => sockets.delete(socket))
}

function answer(socket: Socket, behaviour: Exclude<Behaviour, 'hang'>, now: Buffer[]): void {
  if (behaviour === 'reset') socket.resetAndDestroy()
  else if (typeof behaviour === 'string') now.push(answers[behaviour])
  else setTimeout(() => socket.write(answers.ok), behaviour.okAfterMs)
}

process.on('message', (message: ToReceiver) => {
  if ('group' in message) {
    behaviours.set(message.group, message.behaviour)
    // a receiver that comes back has lost its old connections
    if (message.behaviour !== 'hang') for (const socket of hanging.get(message.group) ?? []) socket.destroy()
  }
  if ('ask' in message) tell({ answer: message.ask === 'counts' ? arrivals.counts() : arrivals.latencies() })
})
process.on('disconnect', () => process.exit())
server.listen({ port: 0, host: '0.0.0.0', backlog: 4_096 }, () => {
  const address = server.address()
  tell({ port: typeof address === 'object' ? (address?.port ?? 0) : 0 })
})

function tell(message: FromReceiver): void {
  process.send?.(message)
}
