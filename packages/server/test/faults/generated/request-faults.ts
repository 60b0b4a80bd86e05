import fc from 'fast-check'
import { afterAll, beforeAll, expect } from 'vitest'
import { newCustomer } from '../../support/api.ts'
import { fault } from '../fault.ts'
import { askGenerated } from './ask-generated.ts'
import { exchangeBytes, rawRequests } from './raw-requests.ts'
import { newSeed } from './seed.ts'
import { startTwoAccounts, type TwoAccounts } from './two-accounts.ts'

const atOnce = 48
const thousands = (count: number): string => count.toLocaleString('en')

/** Sends `count` generated requests as a customer, and fewer as the operator and as raw bytes. */
export function requestFaults(count: number): void {
  const seed = newSeed()
  let world: TwoAccounts
  beforeAll(async () => {
    world = await startTwoAccounts()
  })
  afterAll(async () => await world[Symbol.asyncDispose]())

  fault(
    'G1',
    'no request makes the service fail, every error gives advice, and no answer reveals another account’s data',
    async seen => {
      const { own, foreign, operatorToken } = world
      const before = await snapshot()
      const right = `Bearer ${own.customer.apiKey}`
      const { ids } = own
      const statuses = await askGenerated(
        world,
        {
          credentials: [
            ...Array.from({ length: 20 }, () => right),
            'Bearer phk_nobody',
            '',
            `Basic ${operatorToken}`,
          ],
          ids: [...ids, ...foreign.ids],
          idsInBodies: [...ids, ...foreign.ids.filter(id => /^(acct|wh)_/.test(id))],
          leaves: () => false,
        },
        foreign,
        { count, seed, atOnce },
      )
      expect(statuses.get(200) ?? 0, 'some requests are right').toBeGreaterThan(count / 20)
      expect(await snapshot(), 'what the other account has is as it was').toEqual(before)
      seen(`seed ${seed}: ${thousands(count)} customer requests, with the statuses ${told(statuses)}`)
    },
    3_600_000,
  )

  fault(
    'G1',
    'no operator request makes the service fail, and every error gives advice',
    async seen => {
      const scratch = await newCustomer(world.service.url, world.service.operator)
      const asOperator = count / 5
      const statuses = await askGenerated(
        world,
        {
          credentials: [`Bearer ${world.operatorToken}`],
          ids: [scratch.accountId],
          idsInBodies: [scratch.accountId],
          // it would send the whole database each time
          leaves: (_method, path) => path === '/v1/backup',
        },
        null,
        { count: asOperator, seed, atOnce },
      )
      seen(`${thousands(asOperator)} operator requests, with the statuses ${told(statuses)}`)
    },
    3_600_000,
  )

  fault(
    'G1',
    'mutated request bytes never get a 500, 502 or 504, and the service keeps running',
    async seen => {
      const { service, own } = world
      const asBytes = count / 10
      const all = fc.sample(rawRequests(own.customer.apiKey), { seed, numRuns: asBytes })
      const sendOneByOne = async (): Promise<void> => {
        for (let bytes = all.pop(); bytes !== undefined; bytes = all.pop()) {
          const answer = await exchangeBytes(service.url, bytes)
          expect(answer, `seed ${seed}: ${JSON.stringify(bytes.toString('latin1'))}`).toMatch(
            /^$|^HTTP\/1\.1 (?!500|502|504)\d/,
          )
        }
      }
      await Promise.all(Array.from({ length: atOnce }, sendOneByOne))
      expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
      expect(service.output()).not.toMatch(/"level":"(error|fatal)"|"level":[56]0/)
      seen(`${thousands(asBytes)} requests as mutated bytes`)
    },
    3_600_000,
  )

  async function snapshot(): Promise<unknown[]> {
    const { api } = world.foreign.customer
    const lists = ['webhooks', 'events', 'suppressions', 'domains', 'api-keys', 'audit-log']
    return await Promise.all(lists.map(async list => (await api.get(`/v1/${list}?limit=100`)).body))
  }
}

function told(statuses: ReadonlyMap<number, number>): string {
  const counts = [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, times]) => `${status}: ${thousands(times)}`)
  return counts.join(', ')
}
