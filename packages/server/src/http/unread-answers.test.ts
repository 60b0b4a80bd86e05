import { createServer, get, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { UnreadAnswers } from './unread-answers.ts'

/** Larger than the buffers of a connection. */
const payload = 'x'.repeat(30_000_000)

test('when too many responses are unread, the oldest ones are aborted', async () => {
  const unread = new UnreadAnswers(2.5 * payload.length)
  const server = createServer((_request, response) => {
    unread.add(response, payload)
    response.end(payload)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const ask = async (): Promise<IncomingMessage> => {
    const asked = get({ port, agent: false })
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    return response
  }
  const first = await ask()
  const second = await ask()
  const third = await ask()

  await expect(text(first)).rejects.toThrow('aborted')
  // a response that was read no longer counts
  expect((await text(second)).length).toBe(payload.length)
  expect((await text(third)).length).toBe(payload.length)
  const later = [await ask(), await ask()]
  for (const answer of later) expect((await text(answer)).length).toBe(payload.length)
  server.close()
})
