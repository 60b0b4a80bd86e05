import { once } from 'node:events'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setDefaultCACertificates } from 'node:tls'
import { expect, test } from 'vitest'
import { until } from '../support/until.ts'
import { makeCertificate } from './certificate.ts'
import { openTestEgress, post } from './open-test-egress.ts'

test('where handshakes hang few are begun, and what is open serves a whole crowd, those who began them too', async () => {
  const authority = makeCertificate({ name: 'Posthorn test authority', isAuthority: true })
  setDefaultCACertificates([authority.cert])
  const certificate = makeCertificate({ name: 'receiver', hosts: ['localhost'], issuer: authority })
  const receiver = createHttpsServer(certificate, (request, response) => {
    request.resume().once('end', () => response.writeHead(204).end())
  })
  const receiverPort = await listen(receiver)
  const sockets: Socket[] = []
  // lets the first through to the receiver, and says nothing to the others
  const door = createServer(socket => {
    socket.on('error', () => {})
    if (sockets.push(socket) === 1) socket.pipe(connect(receiverPort, '127.0.0.1')).pipe(socket)
  })
  const url = `https://localhost:${await listen(door)}/`
  {
    await using egress = openTestEgress()
    expect((await post(egress, url)).outcome).toBe('success')
    let served = 0
    for (let n = 0; n < 200; n++)
      void post(egress, url).then(({ outcome }) => (served += Number(outcome === 'success')))
    await until('all are served', () => served === 200)
    expect(sockets.length).toBeLessThanOrEqual(21)
  }
  for (const socket of sockets) socket.destroy()
  door.close()
  receiver.close()
})

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
