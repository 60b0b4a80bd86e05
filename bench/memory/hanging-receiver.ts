import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { once } from 'node:events'
import type { FromHanging, Origins } from './hanging.ts'

/** A process that accepts requests on many ports and never answers. */
let requests = 0
const hang = (socket: Socket): void => {
  socket.once('data', () => requests++)
  socket.on('data', () => {})
  socket.on('error', () => {})
}

const [{ origins, certificate }] = (await once(process, 'message')) as [Origins]
const secure = certificate === null ? null : createTlsServer(certificate, hang)
secure?.on('tlsClientError', () => {})
const ports: number[] = []
for (let n = 0; n < origins; n++) {
  const server = createServer(socket => (secure === null ? hang(socket) : secure.emit('connection', socket)))
  ports.push(await listen(server))
}
process.on('message', () => tell({ requests }))
process.on('disconnect', () => process.exit())
tell({ ports })

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

function tell(message: FromHanging): void {
  process.send?.(message)
}
