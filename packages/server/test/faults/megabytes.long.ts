import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { FollowedLog } from '../../src/cli/ingest/followed-log.ts'
import type { MailLog } from '../../src/cli/ingest/log-outcome.ts'
import { mappedFormat } from '../../src/cli/ingest/mapped-log.ts'
import { PostfixLog } from '../../src/cli/ingest/postfix-log.ts'
import { eximLog, mapNames, mapOf } from '../cli/ingest/open-logs.ts'
import { options as clock } from '../cli/ingest/read-lines.ts'
import { fault } from './fault.ts'
import * as samples from './generated/byte-samples.ts'
import { readers } from './generated/readers.ts'

const megabyte = 1_048_576
const headsMax = 4
const units = [
  'x',
  ' ',
  '"',
  '"\\',
  '<',
  '(',
  '[',
  '{"a":',
  ',',
  ': ',
  ' a=',
  ' a="',
  ' a="b" c',
  ' R=x',
  ' <a@b>',
]
const moreUnits = ['é', '\0', '550 5.1.1 ', '[1/3] ', '|', '/', '=?utf-8?q?', 'a@b, ', '--b\r\n', '{x}\n']

/** Megabytes of one repeated text, in lines of 100 bytes and in long ones. Longer ones than 256 KiB are skipped. */
function* megabytes(heads: readonly string[]): Generator<string> {
  for (const unit of [...units, ...moreUnits]) {
    for (const head of ['', ...heads.slice(0, headsMax)]) {
      for (const lineLength of [Math.max(head.length + 20, 100), 200_000]) {
        const filling = unit.repeat(Math.ceil((lineLength - head.length) / unit.length))
        const line = `${(head + filling).slice(0, lineLength)}\n`
        yield line.repeat(Math.ceil(megabyte / line.length)).slice(0, megabyte)
      }
    }
  }
}

/** CPU milliseconds, the better of two. */
async function costOf(work: () => void | Promise<void>): Promise<number> {
  const costs: number[] = []
  for (let round = 0; round < 2 && (costs[0] ?? Infinity) > 100; round++) {
    const before = process.cpuUsage()
    await work()
    costs.push(process.cpuUsage(before).user / 1_000)
  }
  return Math.min(...costs)
}

/** Reads a log file as the command does. */
function readWith(open: () => MailLog): (text: string) => Promise<number> {
  return async text => {
    const folder = mkdtempSync(join(tmpdir(), 'posthorn-megabyte-'))
    const path = join(folder, 'log')
    writeFileSync(path, text)
    const cost = await costOf(() => {
      using source = new FollowedLog(path, null)
      const log = open()
      for (let lines = source.nextLines(); lines.length > 0; lines = source.nextLines())
        for (const line of lines) log.take(line.toString(), clock)
    })
    rmSync(folder, { recursive: true })
    return cost
  }
}

/** Cuts each line in the middle, so that the filling continues its fields. */
const headsOf = (lines: readonly Buffer[]): string[] =>
  lines.map(line => line.toString().slice(0, Math.ceil(line.length * 0.6)))

const sources: ReadonlyArray<{
  name: string
  heads: readonly string[]
  cost: (text: string) => Promise<number>
}> = [
  {
    name: 'Postfix log',
    heads: headsOf(samples.postfixLines),
    cost: readWith(() => new PostfixLog()),
  },
  { name: 'Exim log', heads: headsOf(samples.eximLines), cost: readWith(eximLog) },
  ...mapNames.map(name => ({
    name: `map of ${name}`,
    heads: headsOf(samples.mappedLines),
    cost: readWith(() => mappedFormat(mapOf(name)).open(undefined)),
  })),
  {
    name: 'KumoMTA',
    heads: [],
    cost: async text => await costOf(async () => await readRecord(text.slice(0, megabyte / 4))),
  },
  {
    name: 'mails',
    heads: samples.mails().map(mail => mail.toString()),
    cost: async text => await costOf(async () => await readMail(Buffer.from(text))),
  },
]

async function readMail(mail: Buffer): Promise<void> {
  await readerOf('bounce messages')(mail)
}

/** A record in which the sender, the recipient and the reply are the text. */
async function readRecord(text: string): Promise<void> {
  const response = { code: 550, enhanced_code: null, content: text }
  const record = {
    type: 'Bounce',
    id: '7',
    sender: text,
    recipient: text,
    response,
    headers: { Subject: text },
  }
  await readerOf('records of KumoMTA')(Buffer.from(JSON.stringify(record)))
}

function readerOf(name: string): (bytes: Buffer) => void | Promise<void> {
  const found = readers.find(one => one.name.startsWith(name))
  if (found === undefined) throw new Error(`there is no reader of ${name}`)
  return found.read
}

for (const { name, heads, cost } of sources) {
  fault(
    'G15',
    'each reader handles a megabyte of anything within a second of CPU time',
    async seen => {
      let [most, count] = [0, 0]
      const slow: string[] = []
      for (const text of megabytes(heads)) {
        const ms = await cost(text)
        if (ms > 1_000) slow.push(`${Math.round(ms)} ms: ${JSON.stringify(text.slice(0, 160))}`)
        most = Math.max(most, ms)
        count++
      }
      expect(slow).toEqual([])
      seen(`${name}: ${count} texts, at most ${Math.ceil(most / 10) * 10} ms`)
    },
    1_200_000,
  )
}
