import type { NoticeData } from '@posthorn/contract'
import type { Letter } from './notice-letter.ts'

/** What an email says about the DNS records of a sending domain. */
export function domainLetter(data: NoticeData<'domain.warning' | 'domain.recovered'>): Letter {
  return {
    subject: `The DNS records of ${data.name} ${'records' in data ? 'are wrong' : 'are published again'}`,
    facts: 'records' in data ? data.records.map(({ name, message }) => [name, message] as const) : [],
    path: `/domains/${data.domain_id}`,
  }
}
