import type { PostfixRecord } from '@posthorn/contract'
import { parseTypeId } from '../domain/type-id.ts'
import type { SourceReport } from './source-report.ts'

/**
 * Translates one record of a mail server's log.
 *
 * @param accountId of the caller; null for the operator, who sets it in the record
 */
export function fromPostfix(record: PostfixRecord, accountId: string | null): SourceReport {
  const account = accountId ?? parseTypeId('acct', record.account_id ?? '')
  const { email_id: emailId, message_id: messageId } = record
  return {
    returnPaths: record.return_path === undefined ? [] : [record.return_path],
    foreign: account === null || emailId === undefined ? null : { accountId: account, emailId, messageId },
    recipients: [record.recipient, record.original_recipient ?? ''].filter(one => one !== ''),
    outcome: {
      disposition: record.disposition,
      reply: { text: record.reply },
      remote_mta: remoteMta(record.relay ?? ''),
      attempts: record.attempts,
      occurred_at: record.occurred_at,
    },
    reportedStatus: record.status,
    isShared: record.per_recipient !== true,
    outcomeId: `${record.source ?? 'postfix'}:${record.line_id}`,
  }
}

/** Parses `mx1.example.org[192.0.2.7]:25`; a local socket (`mx[private/lmtp]`) or `local` is not a remote server. */
function remoteMta(relay: string): SourceReport['outcome']['remote_mta'] {
  const [, name, ip] = /^([^[\]]{1,255})\[([0-9a-fA-F.:]{2,45})\]/.exec(relay) ?? []
  return name === undefined || ip === undefined ? undefined : { name, ip }
}
