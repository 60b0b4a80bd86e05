import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { shardHeader } from '../../src/shards/sign-request.ts'
import type { Service } from '../../src/service.ts'
import type { Customer } from '../support/api.ts'
import { openShards, type TestInstallation } from '../support/shards.ts'
import { until } from '../support/until.ts'
import { type Answered, startTamperingProxy, type TamperingProxy } from './tampering-proxy.ts'

let installation: TestInstallation
let proxies: [TamperingProxy, TamperingProxy]
let front: Service
let customers: [Customer, Customer]
let installationId: string

beforeAll(async () => {
  installation = await openShards(2)
  const [first, second] = installation.shards.map(({ url }) => url)
  proxies = [await startTamperingProxy(first ?? ''), await startTamperingProxy(second ?? '')]
  front = await installation.openFront({ POSTHORN_SHARDS: `0=${proxies[0].url},1=${proxies[1].url}` })
  const described = await installation.shards[0]?.ask<{ installation_id: string }>('GET', '/internal/shard')
  installationId = described?.body.installation_id ?? ''
  customers = [await installation.customerOn(0), await installation.customerOn(1)]
})

afterAll(async () => {
  await front.drain()
  for (const proxy of proxies) await proxy[Symbol.asyncDispose]()
  await installation[Symbol.asyncDispose]()
})

beforeEach(async () => {
  for (const proxy of proxies) proxy.tamper(null)
  await until('the front knows both accounts and trusts both shards', async () =>
    (await Promise.all(customers.map(statusOf))).every(status => status === 200),
  )
})

async function get({ apiKey }: Customer): Promise<Response> {
  return await fetch(`${front.url}/v1/webhooks`, { headers: { authorization: `Bearer ${apiKey}` } })
}

async function statusOf(customer: Customer): Promise<number> {
  return (await get(customer)).status
}

const isAsked = (path: string): boolean => path.startsWith('/internal/directory')

describe('answers about the directory', () => {
  /** Replaced by the id of the installation, which is known only when the test runs. */
  const sameInstallation = 'same-installation'
  const account = '01890a5d-ac96-774b-bcce-b302099a8057'
  const page = {
    installation_id: sameInstallation,
    epoch: 'another',
    version: 1_000_000,
    shards: [{ number: 0, state: 'open' }],
    placements: [{ account_id: account, shard: 0, version: 1, moving: false }],
    more: false,
  }
  test.each<[string, string]>([
    ['nothing', ''],
    ['no JSON', '<html>It works!</html>'],
    ['half of it', JSON.stringify(page).slice(0, 100)],
    ['null', 'null'],
    ['a list', '[]'],
    ['no fields', '{}'],
    ['those of another installation', JSON.stringify({ ...page, installation_id: account })],
    [
      'a shard that cannot exist',
      JSON.stringify({ ...page, placements: [{ ...page.placements[0], shard: 5_000 }] }),
    ],
    [
      'an account that is no UUID',
      JSON.stringify({ ...page, placements: [{ ...page.placements[0], account_id: '7' }] }),
    ],
    ['a version that is no number', JSON.stringify({ ...page, version: '7' })],
    ['a list that never ends', JSON.stringify({ ...page, more: 'yes' })],
  ])('with %s are ignored, and known accounts are served', async (_, garbage) => {
    let answers = 0
    const from = installation.told.length
    const messages = () => installation.told.slice(from).map(({ message }) => message)
    proxies[0].tamper((answer, path) => {
      if (!isAsked(path)) return answer
      answers++
      return { ...answer, body: Buffer.from(garbage.replace(sameInstallation, installationId)) }
    })
    await until('the front has asked again', () => answers >= 2)
    expect(await Promise.all(customers.map(statusOf))).toEqual([200, 200])
    await until('the front says so', () =>
      messages().includes('the directory in shard 0 does not answer: known accounts work, new ones wait'),
    )
    proxies[0].tamper(null)
    await until('the front reads it again', () => messages().includes('the directory in shard 0 answers'))
  })
})

describe('an answer', () => {
  let earlier = ''
  const withHeader =
    (header: (answer: Answered) => string | undefined) =>
    (answer: Answered): Answered => {
      const { [shardHeader]: own, ...headers } = answer.headers
      const changed = header(answer)
      earlier = String(own)
      return { ...answer, headers: { ...headers, ...(changed !== undefined && { [shardHeader]: changed }) } }
    }
  const ownHeader = ({ headers }: Answered): string => String(headers[shardHeader])
  test.each<[string, (answer: Answered) => Answered]>([
    ['without a signature', withHeader(() => undefined)],
    ['with an empty signature', withHeader(() => '')],
    ['with a forged signature', withHeader(() => `1;${'0'.repeat(64)}`)],
    ['with the number of another shard', withHeader(answer => ownHeader(answer).replace(/^1/, '0'))],
    ['with the signature of an earlier answer', withHeader(() => earlier)],
    ['with two signatures', withHeader(answer => `${ownHeader(answer)}, ${ownHeader(answer)}`)],
    ['with another status', answer => ({ ...answer, status: 203 })],
    ['of a web server', () => ({ status: 200, headers: {}, body: Buffer.from('{"data":[]}') })],
  ])('%s gets 503, and nothing of it reaches the client', async (_, change) => {
    proxies[1].tamper(answer => {
      const changed = change(answer)
      return { ...changed, headers: { ...changed.headers, 'x-secret': 'secret' } }
    })
    const [safe, tampered] = [await get(customers[0]), await get(customers[1])]
    expect(safe.status).toBe(200)
    expect([tampered.status, tampered.headers.get('x-secret')]).toEqual([503, null])
    expect(await tampered.json()).toMatchObject({ code: 'shard_unavailable' })
  })
})
