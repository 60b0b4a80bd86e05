import { randomBytes } from 'node:crypto'
import { isUtf8 } from 'node:buffer'
import { createVerifier, WebhookVerificationError } from '@posthorn/receiver'
import { AnswerParser } from '../../../src/egress/answer-parser.ts'
import { BrokenAnswer } from '../../../src/egress/broken-answer.ts'
import { Origin } from '../../../src/egress/origin.ts'
import { requestBytes } from '../../../src/egress/request-bytes.ts'
import { checkRequestHeaders } from '../../../src/domain/request-headers.ts'
import { PostfixLog } from '../../../src/cli/ingest/postfix-log.ts'
import { returnPathsIn } from '../../../src/domain/sources/return-path.ts'
import { AppError } from '../../../src/errors.ts'
import type { Caller } from '../../../src/http/caller.ts'
import { decideOutcomes } from '../../../src/http/parse-outcomes.ts'
import { readReport } from '../../../src/http/read-report.ts'
import { readIncoming } from '../../../src/mail/read-incoming.ts'
import { fromBounceText } from '../../../src/sources/from-bounce-text.ts'
import { fromDeliveryReport } from '../../../src/sources/from-delivery-report.ts'
import { fromKumomta } from '../../../src/sources/from-kumomta.ts'
import { eximLog, mappedLogs } from '../../cli/ingest/open-logs.ts'
import { options as logOptions } from '../../cli/ingest/read-lines.ts'
import { mutated } from './mutated.ts'
import { providerReaders } from './provider-readers.ts'
import { onlyThrows, type Reader } from './reader.ts'
import * as samples from './byte-samples.ts'

export const readers: readonly Reader[] = [
  {
    name: 'answers of receivers',
    inputs: mutated(samples.answers, samples.answerTokens),
    read: async bytes => await onlyThrows(BrokenAnswer, () => readAnswer(bytes)),
    share: 200,
  },
  {
    name: 'request headers of customers',
    inputs: mutated(samples.headerLines, samples.headerTokens),
    read: readRequestHeader,
    share: 150,
  },
  {
    name: 'outcomes in NDJSON',
    inputs: mutated(samples.outcomeLines, samples.outcomeTokens),
    read: async bytes => await onlyThrows(AppError, async () => await readOutcomes(bytes)),
    share: 160,
  },
  {
    name: 'lines of Postfix',
    inputs: mutated(samples.postfixLines, samples.postfixTokens),
    read: bytes => void new PostfixLog().take(bytes.toString(), logOptions),
    share: 80,
  },
  {
    name: 'lines of Exim',
    inputs: mutated(samples.eximLines, samples.eximTokens),
    read: bytes => void eximLog().take(bytes.toString(), logOptions),
    share: 50,
  },
  {
    name: 'lines that a map describes',
    inputs: mutated(samples.mappedLines, samples.mappedTokens),
    read: bytes => {
      for (const log of mappedLogs()) log.take(bytes.toString(), logOptions)
    },
    share: 50,
  },
  {
    name: 'records of KumoMTA',
    inputs: samples.kumomtaRecords,
    read: bytes => void fromKumomta(JSON.parse(bytes.toString()), 0, { accountId: null, byMessageId: true }),
    share: 100,
  },
  {
    name: 'signature headers, by the library',
    inputs: mutated(samples.signatureHeaders, samples.signatureTokens),
    read: readSignature,
    share: 100,
  },
  {
    name: 'bounce messages, complaints and other mails',
    inputs: mutated(samples.mails(), samples.mailTokens),
    read: readMail,
    share: 20,
  },
  ...providerReaders,
]

function readAnswer(bytes: Buffer): void {
  const parser = new AnswerParser()
  let bodyBytes = 0
  parser.begin(false, { head: () => {}, body: piece => (bodyBytes += piece.length) })
  const half = bytes.length >> 1
  parser.feed(bytes.subarray(0, half))
  parser.feed(bytes.subarray(half))
  parser.close()
  if (bodyBytes > bytes.length) throw new Error('it made a body out of nothing')
}

const origin = new Origin(new URL('https://hooks.example.com/'), () => 0)
const body = Buffer.from('{}')

/** A header that passes the check must be sent as exactly one header of exactly one request. */
function readRequestHeader(bytes: Buffer): void {
  const text = bytes.toString('latin1')
  const colon = text.indexOf(':')
  const [name, value] = [text.slice(0, Math.max(0, colon)), text.slice(colon + 1)]
  if (checkRequestHeaders({ [name]: value }) !== null) return
  for (const headers of [{ headers: [name, value] }, { headers: [], commonHeaders: [name, value] }]) {
    const sent = Buffer.concat(requestBytes(origin, '/', { url: origin.href, ...headers, body }))
    const [head = '', ...rest] = sent.toString('latin1').split('\r\n\r\n')
    const lines = head.split(/[\r\n]+/)
    if (rest.join() === '{}' && lines.length === 5 && lines[3] === `${name}: ${value}`) continue
    throw new Error(`more than a header was sent: ${JSON.stringify(sent.toString('latin1'))}`)
  }
}

const caller = {
  kind: 'key',
  accountId: '01890a5d-ac96-774b-bcce-b302099a8057',
  keyId: '01890a5d-ac96-774b-bcce-b302099a8058',
  scopes: ['ingest'],
} as const satisfies Caller

async function readOutcomes(bytes: Buffer): Promise<void> {
  if (!isUtf8(bytes)) return
  const report = await readReport(bytes.toString(), { isLines: true })
  const { outcomes, ignored } = await decideOutcomes(report, caller, '2026-11-21T12:00:00.000Z')
  if (outcomes.length + ignored.length !== report.items.length) throw new Error('an outcome got lost')
  if (outcomes.some(({ accountId }) => accountId !== caller.accountId))
    throw new Error('it is for somebody else')
}

const verifier = createVerifier({
  secrets: samples.signingSecret,
  now: () => samples.signedAtSeconds * 1_000,
})

async function readSignature(bytes: Buffer): Promise<void> {
  // the body is not the signed one, so nothing may verify
  const result = await verifier.safeVerify(randomBytes(16), bytes.toString('latin1'))
  if (result.ok) throw new Error('a forged signature verified')
  if (!(result.error instanceof WebhookVerificationError)) throw result.error
}

async function readMail(bytes: Buffer): Promise<void> {
  const incoming = await readIncoming(bytes)
  const nowMs = 1_795_000_000_000
  if (incoming.kind === 'delivery_report') {
    fromDeliveryReport(incoming.report, bytes, returnPathsIn(incoming.text), nowMs)
  } else if (incoming.kind === 'mail') {
    const { notice } = incoming
    fromBounceText(notice, bytes, { returnPath: 'bounces+x@acme.test', recipient: 'ann@example.org' }, nowMs)
  }
}
