import { attemptsMax, emailId, type KumomtaRecord, kumomtaRecord } from '@posthorn/contract'
import { stageOfCommand } from '../domain/classify/stage-of-command.ts'
import { cutText } from '../domain/cut-text.ts'
import { isComplaint } from '../domain/sources/feedback-type.ts'
import { returnPathsIn, unsubscribeTokensIn } from '../domain/sources/return-path.ts'
import { parseTypeId } from '../domain/type-id.ts'
import type { ForeignEmail, ReportedOutcome, Translated } from './source-report.ts'

/** How to find the id of emails that Posthorn did not send. */
export interface ForeignNames {
  /** The UUID of their account; null if the records contain the account. */
  readonly accountId: string | null
  readonly byMessageId: boolean
}

/** Translates one log record into one report per recipient. */
export function fromKumomta(item: unknown, index: number, names: ForeignNames): Translated[] {
  const { data: record } = kumomtaRecord.safeParse(item)
  if (record === undefined) return [{ index, report: 'malformed' }]
  if (record.type === 'Feedback') return [{ index, report: complaint(record, names) }]
  const disposition = dispositions.get(record.type)
  if (disposition === undefined) return [{ index, report: 'not_an_outcome' }]
  const named = record.recipient ?? []
  const addresses = typeof named === 'string' ? [named] : named
  const isBounceMail = record.type === 'OOB'
  // the record of a bounce message has either the failed recipient or our return path
  const recipients = isBounceMail ? addresses.filter(one => returnPathsIn(one).length === 0) : addresses
  const each = recipients.length > 0 ? recipients : isBounceMail ? [null] : []
  if (each.length === 0) return [{ index, report: 'malformed' }]
  return each.map(recipient => ({
    index,
    report: {
      returnPaths: [record.sender ?? '', ...(isBounceMail ? addresses : [])],
      foreign: foreignEmail(record, names),
      recipients: recipient === null ? [] : [recipient],
      outcome: { ...outcomeIn(record), disposition, ...(isBounceMail && { timing: 'asynchronous' }) },
      isShared: addresses.length > 1,
      // it arrived at the return path of one recipient
      isForwarded: isBounceMail && each.length === 1,
      outcomeId: `kumomta:${record.id}:${record.type}:${recipient ?? ''}`,
    },
  }))
}

/** The type decides, not the code, because KumoMTA also logs an expired email as 551 5.1.3. */
const dispositions = new Map<string, ReportedOutcome['disposition']>([
  ['Delivery', 'accepted'],
  ['Bounce', 'permanent'],
  ['TransientFailure', 'temporary'],
  ['Expiration', 'expired'],
  ['AdminBounce', 'cancelled'],
  ['OOB', 'permanent'],
])

function outcomeIn({
  response,
  peer_address: peer,
  timestamp,
  num_attempts: attempts,
}: KumomtaRecord): ReportedOutcome {
  const { class: class_, subject, detail } = response?.enhanced_code ?? {}
  const enhanced = `${class_}.${subject}.${detail}`
  const code = response?.code ?? 0
  const name = cutText(peer?.name.replace(/\.$/, '') ?? '', 255)
  return {
    stage: stageOfCommand(response?.command ?? ''),
    reply: {
      ...(code >= 200 && code <= 599 && { code }),
      ...(/^[245]\.\d{1,3}\.\d{1,3}$/.test(enhanced) && { enhanced_code: enhanced }),
      text: response?.content ?? '',
    },
    remote_mta: name === '' ? undefined : { name, ip: cutText(peer?.addr ?? '', 45) },
    occurred_at: momentOf(timestamp),
    // the log counts failed attempts before this one
    attempts:
      attempts === null || attempts === undefined || attempts < 0 || attempts >= attemptsMax
        ? undefined
        : attempts + 1,
  }
}

function complaint(record: KumomtaRecord, names: ForeignNames): Translated['report'] {
  const { feedback_report: report } = record
  const kind = report?.feedback_type?.toLowerCase() ?? ''
  if (!isComplaint(kind)) return 'not_an_outcome'
  // the envelope of the original email, which some providers leave out, and its text
  const text = `${report?.original_mail_from ?? ''}\n${report?.original_message?.slice(0, 65_536) ?? ''}`
  const decoded = text.replace(/=\r?\n/g, '')
  return {
    returnPaths: returnPathsIn(decoded),
    unsubscribeTokens: unsubscribeTokensIn(decoded),
    foreign: foreignEmail(record, names),
    recipients: [],
    outcome: { disposition: 'complaint', occurred_at: momentOf(record.timestamp) },
    feedbackType: kind,
    outcomeId: `kumomta:${record.id}:Feedback`,
  }
}

function foreignEmail({ meta, headers }: KumomtaRecord, names: ForeignNames): ForeignEmail | null {
  const account = names.accountId ?? parseTypeId('acct', textIn(meta, 'posthorn_account_id'))
  const messageId = (textIn(headers, 'Message-ID') || textIn(headers, 'Message-Id')).replace(/^<|>$/g, '')
  const id = emailId.safeParse(textIn(meta, 'posthorn_email_id') || (names.byMessageId ? messageId : ''))
  if (account === null || !id.success) return null
  return { accountId: account, emailId: id.data, messageId: cutText(messageId, 998) || undefined }
}

function textIn(fields: Readonly<Record<string, unknown>> | null | undefined, name: string): string {
  const value = fields?.[name]
  return typeof value === 'string' ? value : ''
}

function momentOf(timestamp: number | null | undefined): string | undefined {
  const isSane = typeof timestamp === 'number' && timestamp > 0 && timestamp < 10_000_000_000
  return isSane ? new Date(timestamp * 1_000).toISOString() : undefined
}
