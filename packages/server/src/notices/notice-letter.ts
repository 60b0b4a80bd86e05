import type { NoticeData, NoticeType } from '@posthorn/contract'
import { domainLetter } from './domain-letter.ts'
import { endpointLetter, type EndpointNoticeType } from './endpoint-letter.ts'

/** What differs between the emails about each type of notice. */
export interface Letter {
  readonly subject: string
  /** Null values are left out. */
  readonly facts: ReadonlyArray<readonly [name: string, value: string | number | null]>
  /** The page of the dashboard. */
  readonly path: string
}

/**
 * The email for a notice.
 * @param publicUrl of the dashboard, without a slash at its end
 */
export function noticeLetter<Type extends NoticeType>(
  type: Type,
  data: NoticeData<Type>,
  publicUrl: string,
): { subject: string; text: string } {
  const { subject, facts, path } = letterOf(type, data)
  const lines = facts.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]))
  return {
    subject,
    text: [
      data.message,
      '',
      ...lines,
      '',
      publicUrl + path,
      '',
      'You receive this email because your account sends notices to this address. You can change that in its settings.',
      '',
    ].join('\n'),
  }
}

function letterOf(type: NoticeType, data: NoticeData<NoticeType>): Letter {
  if ('webhook_id' in data) return endpointLetter(type as EndpointNoticeType, data)
  if ('domain_id' in data) return domainLetter(data)
  return { subject: 'Your account can no longer send emails', facts: [], path: '/' }
}
