import { expect, test } from 'vitest'
import { Dispatcher } from '../../src/dispatch/dispatcher.ts'
import { headerNames } from '../../src/domain/header-names.ts'
import type { Egress } from '../../src/egress/egress.ts'
import { newId } from '../../src/new-id.ts'
import { newestServer, openTestDatabase } from '../support/test-database.ts'
import { queueRow, startProcess } from '../verbs/stored-delivery.ts'
import { verbContext } from '../verbs/verb-context.ts'
import { threeHandedOver } from './handed-over.ts'

test.each([
  { when: 'in time and under its lease', ageMs: 0, covers: true, sameLease: true, posted: 1 },
  {
    when: 'more than a second after its claim was sent',
    ageMs: 1_001,
    covers: true,
    sameLease: true,
    posted: 0,
  },
  {
    when: 'when the lease could end before the attempt',
    ageMs: 0,
    covers: false,
    sameLease: true,
    posted: 0,
  },
  { when: 'under a lease that was lost meanwhile', ageMs: 0, covers: true, sameLease: false, posted: 0 },
])(
  'a delivery that arrives $when is sent $posted times, and returns to the queue if not sent',
  async ({ ageMs, covers, sameLease, posted }) => {
    await using db = await openTestDatabase(newestServer())
    const ctx = verbContext(db)
    const process = await startProcess(ctx)
    const [delivery] = await threeHandedOver(ctx, process)
    let posts = 0
    let settled = 0
    const lease = { number: sameLease ? process : process + 1, coversAttempt: covers }
    const dispatcher = new Dispatcher({
      db,
      seal: ctx.seal,
      egress: {
        post: async () => {
          posts++
          return await Promise.resolve(answered)
        },
      } as unknown as Egress,
      clock: ctx.clock,
      random: ctx.random,
      newId: () => newId(ctx),
      headerNames: headerNames('X-Service'),
      clockSkew: { tolerable: true },
      lease: () => lease,
      userAgent: 'Posthorn/test',
      processNumber: () => 1,
      timings: ctx.settings.timings,
      drainPerSecond: 50,
      inFlightMax: 10,
      inFlightPerEndpointMax: 10,
      beginSpan: null,
      observe: settlements => {
        settled += settlements.length
      },
      onError: (_, error) => {
        throw error
      },
    })
    dispatcher.handOff([{ ...delivery, startByMs: performance.now() + 1_000 - ageMs }], [])
    await dispatcher[Symbol.asyncDispose]()
    expect([posts, settled]).toEqual([posted, posted])
    const row = await queueRow(ctx, delivery.deliveryId)
    expect(row?.held).toBe(posted === 1 ? undefined : false)
  },
)

const answered = {
  outcome: 'success',
  statusCode: 204,
  error: null,
  durationMs: 1,
  phases: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null },
  responseHeaders: {},
  responseBody: '',
  responseTruncated: false,
  retryAfter: null,
  verifiedParts: null,
  certificate: null,
} as const
