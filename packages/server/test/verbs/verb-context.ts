import { randomBytes } from 'node:crypto'
import type { Account } from '@posthorn/contract'
import { createAccount } from '../../src/accounts/create-account.ts'
import type { Ctx } from '../../src/context.ts'
import type { Database } from '../../src/db/database.ts'
import { plannedOnce } from '../../src/db/planned-once.ts'
import { type IdPrefix, parseTypeId } from '../../src/domain/type-id.ts'
import { createUrlPolicy } from '../../src/domain/url-policy.ts'
import { AppError } from '../../src/errors.ts'
import { createSeal } from '../../src/seal/seal.ts'

/** The context of a verb in a test, with a count of how often it woke the dispatchers. */
export interface VerbContext extends Ctx {
  readonly wakes: { count: number }
}

/** Shared, so that contexts on the same database act like processes of one installation. */
const masterKey = randomBytes(32)

/** A context on a real database. Its clock advances with each reading, so that later ids are greater. */
export function verbContext(db: Database): VerbContext {
  let nowMs = Date.now()
  const wakes = { count: 0 }
  const random = { fraction: Math.random, bytes: (length: number): Uint8Array => randomBytes(length) }
  return {
    db,
    history: plannedOnce(db),
    clock: { nowMs: () => ++nowMs, monotonicMs: () => performance.now() },
    random,
    seal: createSeal([{ id: 'test', key: masterKey }], random),
    settings: {
      urlPolicy: createUrlPolicy({ allowCidrs: [], allowHttp: false, ports: [443, 8443] }),
      disableAfterMs: 120 * 3_600_000,
      retentionDays: 30,
      statsDays: 400,
      timings: {
        retry: { baseSeconds: 120, capSeconds: 86_400 },
        retryBaseMinSeconds: 1,
        attemptTimeoutMs: 15_000,
        attemptTimeoutMaxMs: 15_000,
      },
      headerPrefix: 'X-Service',
      drainPerSecond: 50,
      noticesFrom: 'posthorn@ops.test',
      canSendMail: true,
      suspension: { bounceRate: null, complaintRate: null, outcomesMin: 1_000 },
      thresholds: {
        bounce_rate: { warning: 0.02, risk: 0.05 },
        complaint_rate: { warning: 0.0008, risk: 0.001 },
      },
    },
    outside: {
      probe: {
        post: () => Promise.reject(new Error('this test posts nothing')),
        head: () => Promise.reject(new Error('this test asks nobody')),
        get: () => Promise.reject(new Error('this test reads nothing')),
        userAgent: 'Posthorn/test',
        timeoutMs: 15_000,
      },
      dns: {
        txt: () => Promise.reject(new Error('this test asks no DNS')),
        mx: () => Promise.reject(new Error('this test asks no DNS')),
        cname: () => Promise.reject(new Error('this test asks no DNS')),
      },
      returnPath: () => null,
      publicUrl: () => 'http://127.0.0.1:4100',
      wakeDispatchers: () => {
        wakes.count += 1
      },
    },
    actor: { kind: 'system', requestId: null },
    wakes,
  }
}

/** Creates an account for one test and returns its UUID. */
export async function newAccount(ctx: Ctx, maxEndpoints = 10): Promise<string> {
  const account: Account = await createAccount(ctx, { name: 'Test', max_endpoints: maxEndpoints })
  return uuidOf('acct', account.id)
}

/** The UUID in the id of a resource. */
export function uuidOf(prefix: IdPrefix, id: string): string {
  const uuid = parseTypeId(prefix, id)
  if (uuid === null) throw new Error(`${id} is not an id of kind ${prefix}`)
  return uuid
}

/** The error code that `work` is refused with. */
export async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
  return 'not refused'
}
