import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Classification } from '../../packages/server/src/domain/classify/classification.ts'
import { classify } from '../../packages/server/src/domain/classify/classify.ts'
import { MailParser } from '../../packages/server/src/mail/mail-parser.ts'
import { rawOutcomeOf } from '../../packages/server/src/mail/raw-outcome-of.ts'
import { readDeliveryReport } from '../../packages/server/src/mail/read-report.ts'

/** One recipient of a real bounce message, with an independent label of the result. */
export interface LabelledRow {
  readonly file: string
  readonly index: number
  readonly recipient: string
  readonly expect: 'email.bounced' | 'email.failed' | 'none' | 'ambiguous'
  readonly expect_reason?: string
  readonly status: string | null
  readonly diagnostic_code: string | null
  readonly disputed?: boolean
  readonly duplicate_of?: string
}

/** The set is not part of the project, because real emails belong to their authors. */
const beside = fileURLToPath(new URL('../../../shared/corpora/sisimai', import.meta.url))
const folder = `${process.argv[2] ?? beside}/`

/** @throws Error if the set is missing */
export function readLabelledSet(): LabelledRow[] {
  if (!existsSync(`${folder}labels.jsonl`)) {
    throw new Error(
      `${folder} must contain labels.jsonl and eml/. Name the folder: npm run bench:classifier -- <folder>`,
    )
  }
  const lines = readFileSync(`${folder}labels.jsonl`, 'utf8').split('\n')
  return lines.filter(line => line !== '').map(line => JSON.parse(line) as LabelledRow)
}

export function mailOf({ file }: LabelledRow): Uint8Array {
  return readFileSync(`${folder}eml/${file}`)
}

/** Classifies the row's recipient from the email, like the service. */
export async function classifyRow(row: LabelledRow): Promise<Classification | null> {
  const mail = mailOf(row)
  const report = await readDeliveryReport(mail)
  const recipient = report?.recipients[row.index - 1]
  if (report === null || recipient === undefined) return null
  const raw = rawOutcomeOf(report, recipient)
  return raw === null ? null : classify({ ...raw, senders: await addresseesOf(mail) })
}

/** A report is addressed to the sender of the email, and the service knows the sender from its own records. */
async function addresseesOf(mail: Uint8Array): Promise<string[]> {
  const email = await new MailParser().parse(mail)
  return (email?.to ?? []).flatMap(({ address }) => address ?? [])
}

/** Whether the description of the set calls the label of the row doubtful. */
export function isDoubted({ file, disputed }: LabelledRow): boolean {
  return disputed === true || doubted.has(file)
}

const doubted = new Set([
  'lhost-postfix-01.eml',
  'lhost-opensmtpd-12.eml',
  // the unknown host is not the domain of the recipient
  'lhost-sendmail-15.eml',
  'rhost-nttdocomo-02.eml',
  'rhost-nttdocomo-03.eml',
])
