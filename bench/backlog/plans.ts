import type { Database, Queryable } from '../../packages/server/src/db/database.ts'
import { claim } from '../../packages/server/src/dispatch/claim.ts'
import { findDue, firstEndpoint } from '../../packages/server/src/dispatch/find-due.ts'
import { settle, type Settlement } from '../../packages/server/src/dispatch/settle.ts'
import type { LeasedDelivery } from '../../packages/server/src/domain/leased-delivery.ts'
import { createUuidV7 } from '../../packages/server/src/domain/uuid-v7.ts'
import { accept } from '../../packages/server/src/outcomes/accept.ts'
import { randomBytes } from 'node:crypto'
import { dueEndpoints, newClaimer } from './claims.ts'

const endpoints = 50

/** The current plans of the four statements of the hot path with their usual batch sizes, as Markdown. */
export async function plans(db: Database): Promise<string> {
  const due = (await dueEndpoints(db)).slice(0, endpoints)
  const accountId = due[0]?.accountId ?? ''
  const claimer = await newClaimer(db)
  const newId = createUuidV7(Date.now, randomBytes)
  const events = Array.from({ length: endpoints }, () => ({
    accountId,
    id: newId(),
    firstDeliveryId: newId(),
    type: 'email.delivered' as const,
    body: Buffer.from('{}'),
    searchKeys: [1n, 2n],
    filterKeys: [],
    outcomeDigest: null,
    counted: { reason: '', domains: ['example.org'] },
  }))
  const none = { total: 0, perEndpoint: 0, known: () => new Map<string, number>() }
  const shown = [
    ['Endpoints with something due', await planOf(db, async tx => await findDue(tx, firstEndpoint))],
    [`Claim from ${endpoints} endpoints`, await planOf(db, async tx => await claim(tx, due, claimer))],
    [
      'Settle what was claimed',
      await planOf(db, async (tx, real) => {
        const { claimed } = await claim(real, due, claimer)
        await settle(
          tx,
          claimed.map(one => delivered(one, newId())),
        )
      }),
    ],
    [
      `Accept ${endpoints} events of one account`,
      await planOf(
        db,
        async tx =>
          await accept(tx, events, {
            process: claimer.number,
            countedAs: 1,
            monotonicMs: claimer.monotonicMs,
            capacity: none,
          }),
      ),
    ],
  ]
  return shown.map(([title, plan]) => `### ${title}\n\n\`\`\`\n${plan}\n\`\`\``).join('\n\n')
}

class PlanSeen extends Error {}

/** Runs a verb, explains its statement while it runs, and rolls back. */
async function planOf(
  db: Database,
  work: (explaining: Queryable, real: Queryable) => Promise<unknown>,
): Promise<string> {
  let plan = ''
  const seen = db.transaction(async tx => {
    const explaining: Queryable = {
      query: async (statement, values) => {
        const text = typeof statement === 'string' ? statement : statement.text
        const lines = await tx.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers) ${text}`, values)
        plan = lines.map(line => line['QUERY PLAN']).join('\n')
        throw new PlanSeen()
      },
      transaction: async inner => await inner(explaining),
    }
    await work(explaining, tx)
  })
  await seen.catch((error: unknown) => {
    if (!(error instanceof PlanSeen)) throw error
  })
  return plan
}

function delivered(delivery: LeasedDelivery, id: string): Settlement {
  return {
    delivery,
    verdict: {
      state: 'delivered',
      reason: null,
      retriesUsed: 0,
      dueInMs: null,
      nextTrigger: 'schedule',
      ifEndpointChanged: null,
    },
    attempt: {
      id,
      processNumber: 1,
      request: null,
      exchange: {
        outcome: 'success',
        statusCode: 204,
        error: null,
        phases: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: 1 },
        certificate: null,
        durationMs: 1,
        responseHeaders: {},
        responseBody: '',
        responseTruncated: false,
        retryAfter: null,
        verifiedParts: null,
      },
      verifiedKeyIds: [],
      retry: { baseSeconds: 120, capSeconds: 86_400 },
      newCertificateExpiresAtMs: null,
      endpointWasFailing: false,
      span: null,
    },
  }
}
