import { emailId, type KumomtaRecord, kumomtaRecord } from '@posthorn/contract'
import { stageOfCommand } from '../domain/classify/stage-of-command.ts'
import { isComplaint } from '../domain/sources/feedback-type.ts'
import { returnPathsIn, unsubscribeTokensIn } from '../domain/sources/return-path.ts'
import { parseTypeId } from '../domain/type-id.ts'
import type { ForeignEmail, Said, Translated } from './source-report.ts'

/** How emails are named that Posthorn has not sent. */
export interface ForeignNames {
  /** UUID of the account that they belong to; null when only the records may name one. */
  readonly accountId: string | null
  readonly byMessageId: boolean
}

/** Translates one log record: one report for each of its recipients. */
export function fromKumomta(item: unknown, index: number, names: ForeignNames): Translated[] {
  const { data: record } = kumomtaRecord.safeParse(item)
  if (record === undefined) return [{ index, report: 'malformed' }]
  if (record.type === 'Feedback') return [{ index, report: complaint(record, names) }]
  const disposition = dispositions.get(record.type)
  if (disposition === undefined) return [{ index, report: 'not_an_outcome' }]
  const named = record.recipient ?? []
  const addresses = typeof named === 'string' ? [named] : named
  const isBounceMail = record.type === 'OOB'
  // the record of a bounce message names either whom it is about, or where it came to: our return path
  const recipients = isBounceMail ? addresses.filter(one => returnPathsIn(one).length === 0) : addresses
  const each = recipients.length > 0 ? recipients : isBounceMail ? [null] : []
  if (each.length === 0) return [{ index, report: 'malformed' }]
  return each.map(recipient => ({
    index,
    report: {
      returnPaths: [record.sender ?? '', ...(isBounceMail ? addresses : [])],
      foreign: foreignEmail(record, names),
      recipients: recipient === null ? [] : [recipient],
      said: { ...saidBy(record), disposition, ...(isBounceMail && { timing: 'asynchronous' }) },
      isShared: addresses.length > 1,
      // it came to the return path of one recipient
      isForwarded: isBounceMail && each.length === 1,
      outcomeId: `kumomta:${record.id}:${record.type}:${recipient ?? ''}`.slice(0, 255),
    },
  }))
}

/** The type rules, whatever the codes say: a mail that expired is written down as 551 5.1.3, too. */
const dispositions = new Map<string, Said['disposition']>([
  ['Delivery', 'accepted'],
  ['Bounce', 'permanent'],
  ['TransientFailure', 'temporary'],
  ['Expiration', 'expired'],
  ['AdminBounce', 'cancelled'],
  ['OOB', 'permanent'],
])

function saidBy({ response, peer_address: peer, timestamp, num_attempts: attempts }: KumomtaRecord): Said {
  const { class: class_, subject, detail } = response?.enhanced_code ?? {}
  const enhanced = `${class_}.${subject}.${detail}`
  const code = response?.code ?? 0
  const name = peer?.name.replace(/\.$/, '').slice(0, 255) ?? ''
  return {
    stage: stageOfCommand(response?.command ?? ''),
    reply: {
      ...(code >= 200 && code <= 599 && { code }),
      ...(/^[245]\.\d{1,3}\.\d{1,3}$/.test(enhanced) && { enhanced_code: enhanced }),
      text: response?.content ?? '',
    },
    remote_mta: name === '' ? undefined : { name, ip: peer?.addr.slice(0, 45) },
    occurred_at: momentOf(timestamp),
    // 0 before the first one has failed
    attempts: attempts === null || attempts === undefined || attempts < 0 ? undefined : attempts + 1,
  }
}

function complaint(record: KumomtaRecord, names: ForeignNames): Translated['report'] {
  const { feedback_report: report } = record
  const kind = report?.feedback_type?.toLowerCase() ?? ''
  if (!isComplaint(kind)) return 'not_an_outcome'
  // of the mail complained about: its envelope, which some providers leave out, and what it says itself
  const text = `${report?.original_mail_from ?? ''}\n${report?.original_message?.slice(0, 65_536) ?? ''}`
  const decoded = text.replace(/=\r?\n/g, '')
  return {
    returnPaths: returnPathsIn(decoded),
    unsubscribeTokens: unsubscribeTokensIn(decoded),
    foreign: foreignEmail(record, names),
    recipients: [],
    said: { disposition: 'complaint', occurred_at: momentOf(record.timestamp) },
    feedbackType: kind,
    outcomeId: `kumomta:${record.id}:Feedback`,
  }
}

function foreignEmail({ meta, headers }: KumomtaRecord, names: ForeignNames): ForeignEmail | null {
  const account = names.accountId ?? parseTypeId('acct', textIn(meta, 'posthorn_account_id'))
  const messageId = (textIn(headers, 'Message-ID') || textIn(headers, 'Message-Id')).replace(/^<|>$/g, '')
  const id = emailId.safeParse(textIn(meta, 'posthorn_email_id') || (names.byMessageId ? messageId : ''))
  if (account === null || !id.success) return null
  return { accountId: account, emailId: id.data, messageId: messageId.slice(0, 998) || undefined }
}

function textIn(fields: Readonly<Record<string, unknown>> | null | undefined, name: string): string {
  const value = fields?.[name]
  return typeof value === 'string' ? value : ''
}

function momentOf(timestamp: number | null | undefined): string | undefined {
  const isSane = typeof timestamp === 'number' && timestamp > 0 && timestamp < 10_000_000_000
  return isSane ? new Date(timestamp * 1_000).toISOString() : undefined
}
