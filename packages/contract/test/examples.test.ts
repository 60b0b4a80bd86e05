import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import {
  type Example,
  examplePath,
  examples,
  exampleIds,
  openApiDocument,
  type OperationId,
  type Route,
  routes,
} from '../src/index.ts'

interface Operation {
  readonly 'x-codeSamples': readonly [{ readonly source: string }]
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>
}

const serverUrl = 'https://posthorn.example.com'
const document = openApiDocument(routes, { version: '1.2.3', serverUrl })
const paths = document.paths as Record<string, Record<string, Operation>>
const operations = Object.entries(routes as Record<string, Route>).map(([name, route]) => ({
  name,
  route,
  example: examples[name as OperationId] as Example,
  described: paths[route.path]?.[route.method.toLowerCase()],
}))

test.each(operations)('$name has a summary and a description in short sentences', ({ route }) => {
  expect(route.summary).toMatch(/^[A-Z][^.]{5,60}$/)
  expect(route.description).toMatch(/^[A-Z].+\.$/s)
  for (const sentence of route.description.split(/(?<=[.:])\s+/))
    expect(sentence.split(/\s+/).length, sentence).toBeLessThanOrEqual(30)
})

test.each(operations)('$name shows a valid request and a response that matches its schema', one => {
  const { route, example } = one
  expect(example.body === undefined).toBe(route.body === undefined)
  if (route.body !== undefined) expect(route.body.schema.safeParse(example.body).error).toBeUndefined()
  if (example.query !== undefined) expect(route.query?.safeParse(example.query).error).toBeUndefined()
  if (route.query === undefined) expect(example.query).toBeUndefined()
  const answered = [
    { schema: route.success.schema, answer: example.answer },
    { schema: route.dryRun?.schema, answer: example.dryRun?.answer },
  ]
  for (const { schema, answer } of answered) {
    expect(answer === undefined).toBe(schema === undefined)
    // the schema drops fields that it does not name
    if (schema !== undefined) expect(schema.parse(answer)).toEqual(answer)
  }
})

test.each(operations)('$name says what to do about each of its errors', ({ route, described }) => {
  const { responses } = document.components as { responses: Record<string, { description: string }> }
  const refusals = Object.entries(described?.responses ?? {}).filter(([status]) => status >= '400')
  const texts = refusals.map(([, { $ref = '' }]) => responses[$ref.split('/').at(-1) ?? '']?.description)
  for (const text of texts) expect(text).toMatch(/\. \S|; |\. `detail`/)
  for (const code of route.errors ?? []) expect(texts.join('\n')).toContain(`\`${code}\`: `)
  if (route.auth !== 'public') expect(texts.join('\n')).toContain('`unauthorized`: ')
})

test('each curl command sends exactly the example request, even if it contains quotes', () => {
  const shell = [
    'curl() { for one in "$@"; do printf "%s\\0" "$one"; done; printf "\\0"; }',
    ...operations.map(({ described }) => described?.['x-codeSamples'][0].source),
  ].join('\n')
  const credentials = { POSTHORN_API_KEY: 'a', POSTHORN_ADMIN_TOKEN: 'o', POSTHORN_SESSION_TOKEN: 's' }
  const commands = execFileSync('sh', { input: shell, env: credentials, encoding: 'utf8' }).split('\0\0')
  for (const [n, { name, route, example }] of operations.entries()) {
    const words = commands[n]?.split('\0') ?? []
    expect(words, name).toContain(examplePath(route, example, serverUrl))
    const sent = words[words.indexOf('--data-binary') + 1] ?? ''
    const wanted = example.body
    if (typeof wanted === 'string') expect(sent, name).toBe(wanted)
    else if (wanted !== undefined) expect(JSON.parse(sent), name).toEqual(wanted)
    if (route.auth !== 'public') expect(words.join(' '), name).toMatch(/Authorization: Bearer [aos]\b/)
  }
})

test('every id in the examples is a known example id', () => {
  const known = new Set<string>(Object.values(exampleIds))
  const used = JSON.stringify(examples).match(/\b[a-z]{2,4}_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g) ?? []
  expect(used.length).toBeGreaterThan(50)
  const samples = ['evt_01kaf8j7m3e5rtk9s7v2n1p0qw', 'evt_01kaf8j6g0e8xr4c3rgr5qd3mt']
  expect(used.filter(id => !known.has(id) && !samples.includes(id))).toEqual([])
})
