import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'

/** A server that handles each connection exactly as the test says. */
export interface RawReceiver extends AsyncDisposable {
  readonly port: number
  readonly url: string
  /** All connections so far. */
  readonly connections: Socket[]
  /** Everything that it has received, as text. */
  readonly received: () => string
}

/** Calls `onConnection` for each connection, and `serve` for every piece that arrives. */
export async function startRawReceiver(
  serve: (socket: Socket, text: string) => void,
  onConnection: (socket: Socket) => void = () => {},
  host = '127.0.0.1',
): Promise<RawReceiver> {
  const connections: Socket[] = []
  let received = ''
  const server = createServer({ noDelay: true }, socket => {
    connections.push(socket)
    socket.on('error', () => {})
    socket.on('data', bytes => {
      received += bytes.toString('latin1')
      serve(socket, bytes.toString('latin1'))
    })
    onConnection(socket)
  })
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}/hooks`,
    connections,
    received: () => received,
    async [Symbol.asyncDispose]() {
      for (const socket of connections) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Answers every request with these bytes. */
export function startCannedReceiver(answer: string | Buffer): Promise<RawReceiver> {
  return startRawReceiver(socket => socket.write(answer))
}

/** A whole answer with a body of known length. */
export function answer(status: number, headers: Record<string, string> = {}, body = ''): string {
  const lines = Object.entries({ 'content-length': String(Buffer.byteLength(body)), ...headers })
  return `HTTP/1.1 ${status} Any\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
}

/** Writes a piece periodically until the other side has closed the connection. */
export function drip(socket: Socket, piece: string | Buffer, everyMs: number): void {
  const timer = setInterval(() => socket.write(piece), everyMs)
  socket.once('close', () => clearInterval(timer))
}

/** Writes as fast as the other side reads. */
export function flood(socket: Socket, piece: Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece)) continue
  }
  socket.on('drain', more)
  more()
}
