import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { parseSourceAddresses } from '../../src/domain/source-addresses.ts'
import { refuseForeignSource } from '../../src/refuse-foreign-source.ts'
import { answering, openTestEgress, post } from './open-test-egress.ts'
import { answer } from './raw-receiver.ts'

const resolver = answering({
  'both.example.com': ['127.0.0.1', '::1'],
  'six.example.com': ['::1'],
})

/** Answers on IPv4 and IPv6, and notes from which address each connection comes. */
async function startReceiver() {
  const sources: (string | undefined)[] = []
  const server = createServer(socket => {
    sources.push(socket.remoteAddress?.replace('::ffff:', ''))
    socket.on('error', () => {}).on('data', () => socket.end(answer(200)))
  }).listen(0, '::')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    sources,
    url: (host: string) => `http://${host}:${port}/`,
    [Symbol.asyncDispose]: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}

test('with a source address, every connection comes from it, and its family decides which addresses count', async () => {
  await using receiver = await startReceiver()
  await using egress = openTestEgress({ resolver, source: parseSourceAddresses('127.0.0.2') })
  for (const host of ['127.0.0.1', 'both.example.com', 'localhost']) {
    expect((await post(egress, receiver.url(host))).statusCode).toBe(200)
  }
  expect(receiver.sources).toEqual(['127.0.0.2', '127.0.0.2', '127.0.0.2'])

  const { error } = await post(egress, receiver.url('six.example.com'))
  expect(error?.code).toBe('connect_refused')
  expect(error?.message).toContain('It has no IPv4 address, and we do not send over IPv6.')
  expect(receiver.sources).toHaveLength(3)
})

test('with a source address of each family, a connection comes from the one of its family', async () => {
  await using receiver = await startReceiver()
  await using egress = openTestEgress({ resolver, source: parseSourceAddresses('127.0.0.2,::1') })
  for (const host of ['both.example.com', 'six.example.com']) await post(egress, receiver.url(host))
  expect(receiver.sources).toEqual(['127.0.0.2', '::1'])
})

test('an endpoint that the operator permitted on this host is reached without the source address', async () => {
  await using receiver = await startReceiver()
  await using egress = openTestEgress({ source: parseSourceAddresses('127.0.0.2') })
  const url = receiver.url('127.0.0.1')
  const request = { url, loopbackOrigin: new URL(url).origin, headers: [], body: Buffer.from('{}') }
  expect((await egress.post(request)).statusCode).toBe(200)
  expect(receiver.sources).toEqual(['127.0.0.1'])
})

test('a host without the source address does not start', async () => {
  await refuseForeignSource(parseSourceAddresses('127.0.0.2,::1'))
  await expect(refuseForeignSource(parseSourceAddresses('203.0.113.7'))).rejects.toThrow(
    'POSTHORN_EGRESS_SOURCE_ADDRESS: this host does not have the address 203.0.113.7',
  )
})
