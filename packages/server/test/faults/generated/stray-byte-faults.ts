import fc from 'fast-check'
import { expect } from 'vitest'
import { keepConnection } from '../../egress/kept-connection.ts'
import { openTestEgress, post } from '../../egress/open-test-egress.ts'
import { answer, startRawReceiver } from '../../egress/raw-receiver.ts'
import { fault } from '../fault.ts'
import { httpAnswers } from './http-answers.ts'
import { newSeed } from './seed.ts'

const strayBytes = fc.option(httpAnswers, { nil: null })
/** What a receiver sends before each request, and after its answer. */
const conversation = fc.array(fc.record({ before: strayBytes, behind: strayBytes }), {
  minLength: 1,
  maxLength: 5,
})

/** Runs `count` conversations over real sockets. Each receiver sends bytes that nobody requested. */
export function strayByteFaults(count: number): void {
  const seed = newSeed()
  fault(
    'G11',
    'bytes sent before a request or after an answer never become the answer to another request',
    async seen => {
      let requests = 0
      await fc.assert(
        fc.asyncProperty(conversation, async turns => {
          await converse(turns)
          requests += turns.length
        }),
        { numRuns: count, seed },
      )
      seen(`${count.toLocaleString('en')} conversations, ${requests} requests`)
    },
    3_600_000,
  )
}

interface Turn {
  before: Buffer | null
  behind: Buffer | null
}

async function converse(turns: readonly Turn[]): Promise<void> {
  let behind: Buffer | null = null
  await using receiver = await startRawReceiver((socket, text) => {
    socket.write(answer(204, { 'x-path': / (\S+) HTTP/.exec(text)?.[1] ?? '' }))
    if (behind !== null) socket.write(behind)
  })
  await using egress = openTestEgress()
  await keepConnection(egress, receiver)
  for (const [n, turn] of turns.entries()) {
    behind = turn.behind
    for (const socket of receiver.connections)
      if (turn.before !== null && !socket.destroyed) socket.write(turn.before)
    const { responseHeaders } = await post(egress, `http://127.0.0.1:${receiver.port}/${n}`)
    expect(responseHeaders?.['x-path']).toBe(`/${n}`)
  }
}
