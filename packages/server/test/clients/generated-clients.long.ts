import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newCustomer } from '../support/api.ts'
import { canRun, hasProgram } from '../support/can-run.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { type DatabasePlace, embedded, newDatabasePlace } from '../support/test-database.ts'
import { callFromGo } from './call-from-go.ts'
import { callFromJava } from './call-from-java.ts'
import { callFromPython } from './call-from-python.ts'

const run = promisify(execFile)

/** Maven Central coordinates. Maven downloads the generator once for each user. */
const generator = 'org.openapitools:openapi-generator-cli:7.25.0'

const clients = [
  { language: 'Python', program: 'python3', install: 'python3-venv', call: callFromPython },
  { language: 'Go', program: 'go', install: 'golang', call: callFromGo },
  { language: 'Java', program: 'javac', install: 'default-jdk', call: callFromJava },
]

const canGenerate = canRun(
  'clients generated from the OpenAPI document',
  hasProgram('java') && hasProgram('mvn'),
  'default-jre and maven',
)

describe.skipIf(!canGenerate)('a client that openapi-generator makes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-clients-'))
  let jar: string
  let place: DatabasePlace
  let service: ServiceProcess
  let apiKey: string
  const url = 'https://hooks.example.com/mail'

  beforeAll(async () => {
    const goal = ['dependency:copy', `-Dartifact=${generator}`, `-DoutputDirectory=${folder}`]
    await run('mvn', ['--quiet', '--batch-mode', ...goal])
    jar = join(folder, readdirSync(folder).find(name => name.endsWith('.jar')) ?? '')
    place = await newDatabasePlace(embedded)
    service = await startService(newInstallation(place))
    const customer = await newCustomer(service.url, service.operator)
    await customer.newWebhook({ url })
    apiKey = customer.apiKey
    const document = await fetch(`${service.url}/openapi.json`)
    writeFileSync(join(folder, 'openapi.json'), await document.text())
  })

  afterAll(async () => {
    await service?.[Symbol.asyncDispose]()
    await place?.[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  test.each(clients)('for $language compiles and lists endpoints', async one => {
    const { language, program, install, call } = one
    if (!canRun(`a generated client for ${language}`, hasProgram(program), install)) return
    const client = join(folder, language)
    mkdirSync(client)
    const options = ['-jar', jar, 'generate', '-i', join(folder, 'openapi.json'), '-o', client]
    await run('java', [...options, ...call.generate], { maxBuffer: 64 * 1024 * 1024 })
    for (const { path, text } of call.files ?? []) {
      mkdirSync(join(client, path, '..'), { recursive: true })
      writeFileSync(join(client, path), text)
    }
    let printed = ''
    for (const [command, ...args] of call.commands) {
      const env = { ...process.env, POSTHORN_URL: service.url, POSTHORN_API_KEY: apiKey }
      const { stdout } = await run(command, args, { cwd: client, env, maxBuffer: 64 * 1024 * 1024 })
      printed = stdout
    }
    expect(printed.trim()).toBe(url)
  })
})
