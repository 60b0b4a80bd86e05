import { type Route, routes } from '@posthorn/contract'
import fc from 'fast-check'
import { expect } from 'vitest'
import { fault } from '../fault.ts'
import { type BusyStretch, watchBusyStretch } from '../busy-stretch.ts'
import type { ApiRequest } from './api-requests.ts'
import { type ApiAnswer, askAll } from './ask.ts'
import { flawOf } from './flaw-of.ts'
import { type Flaw, flaws, withFlaw } from './flawed-json.ts'
import { type JsonSchema, valuesOf } from './schema-values.ts'
import { newSeed } from './seed.ts'
import { startTwoAccounts, type TwoAccounts } from './two-accounts.ts'

/** The longest time for which a request may block the others, in milliseconds of CPU time. */
const busyMsMax = 200

/** Sends each operation `countOfEach` values with each flaw, or the same number of flawed queries. */
export function inputFaults(countOfEach: number): void {
  fault(
    'G1',
    'half characters, huge numbers and a million names are rejected anywhere, and the error gives the path',
    async seen => {
      const seed = newSeed()
      let busy: BusyStretch | undefined
      await using world = await startTwoAccounts(place => (busy = watchBusyStretch(place)).settings)
      await busy?.begin()
      const counts = new Map<Flaw | 'query', number>()
      for (const route of Object.values<Route>(routes)) {
        for (const flaw of flaws) {
          // ten megabytes take long
          const count = flaw === 'very many names' ? Math.ceil(countOfEach / 10) : countOfEach
          const sent = await askFlawed(world, route, { flaw, seed, count })
          counts.set(flaw, (counts.get(flaw) ?? 0) + sent)
        }
        counts.set('query', (counts.get('query') ?? 0) + (await askQueries(world, route)))
      }
      expect((await fetch(`${world.service.url}/readyz`)).status).toBe(200)
      const mostMs = busy?.mostMs() ?? Number.NaN
      for (const [flaw, count] of counts) {
        expect(count, flaw).toBeGreaterThan(0)
        seen(`${flaw}: ${count.toLocaleString('en')} requests`)
      }
      seen(`other requests were blocked for at most ${Math.round(mostMs)} ms`)
      expect(mostMs).toBeLessThan(busyMsMax)
    },
    3_600_000,
  )
}

async function askFlawed(
  world: TwoAccounts,
  route: Route,
  { flaw, seed, count }: { flaw: Flaw; seed: number; count: number },
): Promise<number> {
  const { body } = route
  const schemas = jsonBodies(world, route)
  if (body === undefined || schemas.length === 0) return 0
  // another system's values are corrected or ignored, because a refusal would lose the reports beside them
  if (flaw !== 'very many names' && route.operationId === 'reportKumomta') return 0
  const samples = schemas.flatMap(({ mediaType, schema }) =>
    fc
      .sample(fc.tuple(valuesOf(schema, { named: world.document.components.schemas }), fc.nat()), {
        seed,
        numRuns: count,
      })
      .map(([value, place]) => {
        const { text, path } = withFlaw(value, place, flaw, body.bytesMax)
        // in NDJSON the line before it is valid
        return mediaType.includes('ndjson')
          ? { mediaType, payload: `${JSON.stringify(value)}\n${text}`, path: `/1${path}` }
          : { mediaType, payload: text, path }
      }),
  )
  const paths = new Map<ApiRequest, string>()
  for (const { mediaType, payload, path } of samples) {
    paths.set(requestOf(world, route, { payload, mediaType }), path)
  }
  // a million names are a lot to send, and larger groups show less about each request
  const atOnce = flaw === 'very many names' ? 2 : 16
  await askAll(world.service.url, paths.keys(), atOnce, (request, answer) => {
    const told = `${flaw} (seed ${seed})\n${request.method} ${request.path}\n${request.body?.toString().slice(0, 2_000)}`
    expect(flawOf(request, answer, null), told).toBeNull()
    if (flaw === 'very many names') expect([400, 413, 422], told).toContain(answer.status)
    else expectPath(answer, paths.get(request) ?? '', told)
  })
  return samples.length
}

function expectPath(answer: ApiAnswer, path: string, told: string): void {
  const { code, errors = [] } = JSON.parse(answer.text) as { code: string; errors?: Array<{ path: string }> }
  expect(code, `${told}\n${answer.text}`).toBe('validation_failed')
  expect(
    errors.map(error => error.path),
    told,
  ).toContain(path)
}

/** Invalid UTF-8, and text that PostgreSQL cannot store. */
const escapes = ['%ff', 'x%ED%A0%81', '%C3', '%zz', '%00', 'a%00b']

async function askQueries(world: TwoAccounts, route: Route): Promise<number> {
  const names = [...Object.keys(route.query?.shape ?? {}), 'stray']
  if (route.auth === 'public' || route.auth === 'session') return 0
  const asked = names.flatMap(name => escapes.map(escape => `?${name}=${escape}`))
  await askAll(
    world.service.url,
    asked.map(query => requestOf(world, route, { query })),
    16,
    (request, answer) => {
      expect(flawOf(request, answer, null), request.path).toBeNull()
      expect(answer.status, request.path).toBeGreaterThanOrEqual(400)
    },
  )
  return asked.length
}

function jsonBodies(
  world: TwoAccounts,
  { path, method }: Route,
): Array<{ mediaType: string; schema: JsonSchema }> {
  const content = world.document.paths[path]?.[method.toLowerCase()]?.requestBody?.content ?? {}
  return Object.entries(content)
    .filter(([mediaType]) => mediaType.includes('json'))
    .map(([mediaType, { schema }]) => ({ mediaType, schema }))
}

function requestOf(
  { own, operatorToken, service }: TwoAccounts,
  { path, method, auth }: Route,
  { payload, mediaType, query = '' }: { payload?: string; mediaType?: string; query?: string },
): ApiRequest {
  const asked = path.replaceAll(/\{\w+\}/g, () => 'wh_01h455vb4pex5vsknk084sn02q')
  const credential = auth === 'operator' ? operatorToken : own.customer.apiKey
  return {
    method,
    path: asked + query,
    headers: {
      ...(auth !== 'public' && { authorization: `Bearer ${credential}` }),
      ...(mediaType !== undefined && { 'content-type': mediaType }),
      origin: service.url,
    },
    body: payload === undefined ? null : Buffer.from(payload),
  }
}
