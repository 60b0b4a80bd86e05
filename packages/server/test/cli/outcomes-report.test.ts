import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readItems } from '../../src/cli/outcomes/read-items.ts'
import { allEvents, type Customer, newCustomer } from '../support/api.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'
import { type DatabasePlace, embedded, newDatabasePlace } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { type Ended, posthorn, spawnPosthorn } from './posthorn-process.ts'

let place: DatabasePlace
let sink: SmtpSink
let service: ServiceProcess
let folder: string

beforeAll(async () => {
  place = await newDatabasePlace(embedded)
  sink = await startSmtpSink()
  service = await startService(newInstallation(place), { POSTHORN_SMTP_URL: sink.url })
  folder = mkdtempSync(join(tmpdir(), 'posthorn-report-'))
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await sink[Symbol.asyncDispose]()
  await place[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

describe('outcomes report', () => {
  test('reports all valid lines, names the rejected ones in order, and can be run again', async () => {
    const customer = await newCustomer(service.url, service.operator)
    const lines = Array.from({ length: 2_300 }, (_, n) => outcome(n))
    lines[4] = '{"type":"email.delivered","data":{"email_id":"a","to":["nobody"]}}'
    lines[5] = ''
    // the command refuses this line at once, but the service refuses line 5 only when it gets the report
    lines[6] = '7'
    lines[1_499] = '{"type":'
    lines[2_200] = '[1]'
    const path = join(folder, 'lines.ndjson')
    writeFileSync(path, `${lines.join('\n')}\n`)

    const first = await run(customer, ['outcomes', 'report', path])

    expect(first.code).toBe(1)
    expect(first.stdout).toContain('Reported 2299 outcomes: 2295 accepted, 4 refused.')
    expect(first.stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/^line 5: \/data\/to\/0 must be an email address/),
      'line 7: must be a JSON object',
      expect.stringMatching(/^line 1500: is not valid JSON/),
      'line 2201: must be a JSON object',
    ])
    expect((await allEvents(customer.api)).length).toBe(2_295)

    lines[4] = outcome(9_999)
    writeFileSync(path, lines.join('\n'))
    const again = await run(customer, ['outcomes', 'report', path, '--json'])
    expect(JSON.parse(again.stdout)).toMatchObject({
      outcomes: 2_299,
      accepted: 1,
      ignored: { duplicate: 2_295 },
      refused: 3,
      refusals: [{ line: 7 }, { line: 1_500 }, { line: 2_201 }],
      stopped: false,
    })
    expect((await allEvents(customer.api)).length).toBe(2_296)
  })

  test('takes a JSON array from standard input, and keeps the given outcome_id', async () => {
    const customer = await newCustomer(service.url, service.operator)
    const given = { ...JSON.parse(outcome(1)), outcome_id: 'mine' }
    const array = JSON.stringify([given, JSON.parse(outcome(2))], null, 2)

    expect(await run(customer, ['outcomes', 'report'], array)).toMatchObject({
      code: 0,
      stderr: '',
      stdout: 'Reported 2 outcomes: 2 accepted, 0 refused.\n',
    })
    const other = JSON.stringify({ ...given, data: { ...given.data, email_id: 'another' } })
    expect(await run(customer, ['outcomes', 'report', '-'], other)).toMatchObject({
      code: 0,
      stdout: 'Reported 1 outcomes: 0 accepted, 1 already reported, 0 refused.\n',
    })
  })

  test('an array that breaks off is an error that names the line', async () => {
    const customer = await newCustomer(service.url, service.operator)

    const ended = await run(customer, ['outcomes', 'report'], `[\n${outcome(1)},\n${outcome(2)}`)

    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('on line 3') })
  })

  test('stops on Ctrl-C while it waits for input, and says that it can be run again', async () => {
    const customer = await newCustomer(service.url, service.operator)
    await using running = spawnPosthorn(['outcomes', 'report'], { env: envOf(customer) })
    running.child.stdin?.write(`${outcome(1)}\n`.repeat(1_000))
    await until('the first thousand is reported', async () => (await allEvents(customer.api)).length === 1)

    expect(await running.end('SIGINT')).toBe(1)
    expect(running.stdout()).toContain('Stopped before the end. Run the command again')
  })
})

describe('outcomes in a text', () => {
  const json = fc.jsonValue({ maxDepth: 3 })

  test('are found in every array, however its bytes are split', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(json),
        fc.nat(3),
        fc.integer({ min: 1, max: 20 }),
        async (values, indent, cut) => {
          const items = await found(JSON.stringify(values, null, indent), cut)
          expect(items.map(({ text }) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(values)))
        },
      ),
    )
  })

  test('are found on lines, with their line numbers', async () => {
    const items = await found('\n{"a":"\\n"}\r\n\n {"b":"é"} \n{"c":1}', 3)
    expect(items).toEqual([
      { line: 2, text: '{"a":"\\n"}' },
      { line: 4, text: '{"b":"é"}' },
      { line: 5, text: '{"c":1}' },
    ])
    expect((await found('[\n\n{"a":1}\n,\n  {"b":\n2}, 7,,]', 2)).map(({ line }) => line)).toEqual([
      3, 5, 6, 6,
    ])
    await expect(found('[1] 2', 9)).rejects.toThrow('there is text after the end of the array')
  })

  async function found(text: string, cut: number) {
    const bytes = Buffer.from(text)
    const starts = Array.from({ length: Math.ceil(bytes.length / cut) }, (_, n) => n * cut)
    const chunks = Readable.from(starts.map(at => bytes.subarray(at, at + cut)))
    return await Array.fromAsync(readItems(chunks))
  }
})

test('emails send passes an email with its attachment to the mail server', async () => {
  const customer = await newCustomer(service.url, service.operator)
  const path = join(folder, 'bill.txt')
  writeFileSync(path, 'twelve euros')
  const args = ['--from', 'Acme <news@example.com>', '--to', 'ann@example.org', '--subject', 'Bill']

  const sent = await run(
    customer,
    [
      'emails',
      'send',
      ...args,
      '--text-file',
      '-',
      '--attach',
      path,
      '--tag',
      'kind=bill',
      '--idempotency-key',
      'k',
    ],
    'Good morning',
  )
  expect(sent).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^Stored em_\w+\./) })
  const mail = await until('the mail arrives', () => sink.for('ann@example.org')[0])
  expect(mail.raw.toString()).toContain('Good morning')
  expect(mail.raw.toString()).toContain(Buffer.from('twelve euros').toString('base64'))

  const unclear = await run(customer, ['emails', 'send', ...args])
  expect(unclear).toMatchObject({ code: 2, stderr: expect.stringContaining('add --text, --text-file or') })
})

function outcome(n: number): string {
  return JSON.stringify({
    type: 'email.delivered',
    data: { email_id: `em_${n}`, to: [`reader${n}@example.org`] },
  })
}

async function run(customer: Customer, args: string[], stdin = ''): Promise<Ended> {
  return await posthorn(args, { env: envOf(customer), stdin })
}

function envOf(customer: Customer): Record<string, string> {
  return { POSTHORN_URL: service.url, POSTHORN_API_KEY: customer.apiKey }
}
