import type { NoticeData } from '@posthorn/contract'
import type { Letter } from './notice-letter.ts'

export type EndpointNoticeType = keyof typeof headlines

const headlines = {
  'webhook.warning': 'is failing',
  'webhook.disabled': 'was disabled',
  'webhook.recovered': 'works again',
} as const

/** Mail clients cut longer subjects. */
const nameMax = 80

/** What an email says about the health of an endpoint. */
export function endpointLetter(type: EndpointNoticeType, data: NoticeData<EndpointNoticeType>): Letter {
  const { host, origin, pathname } = new URL(data.url)
  const words = data.description.replaceAll(/\s+/g, ' ').trim()
  const name = Array.from(words).slice(0, nameMax).join('')
  return {
    subject: `Your endpoint ${name === '' ? `at ${host}` : name} ${headlines[type]}`,
    facts: [
      // a query may contain a secret of the receiver
      ['Endpoint', origin + pathname],
      ['Failing since', data.failing_since],
      ['Failures in a row', data.failures_in_row > 0 ? data.failures_in_row : null],
      ['Will be disabled at', 'disables_at' in data ? data.disables_at : null],
      ['Events waiting', 'waiting' in data ? data.waiting : null],
    ],
    path: `/endpoints/${data.webhook_id}`,
  }
}
