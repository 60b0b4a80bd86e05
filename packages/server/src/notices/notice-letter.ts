import type { NoticeData, NoticeType } from '@posthorn/contract'

const headlines: Readonly<Record<NoticeType, string>> = {
  'webhook.warning': 'is failing',
  'webhook.disabled': 'was disabled',
  'webhook.recovered': 'works again',
}

/** Mail clients cut longer subjects. */
const nameMax = 80

/**
 * The email for a notice.
 * @param publicUrl of the dashboard, without a slash at its end
 */
export function noticeLetter<Type extends NoticeType>(
  type: Type,
  data: NoticeData<Type>,
  publicUrl: string,
): { subject: string; text: string } {
  const { host, origin, pathname } = new URL(data.url)
  const words = data.description.replaceAll(/\s+/g, ' ').trim()
  const name = Array.from(words).slice(0, nameMax).join('')
  const facts = [
    // a query may contain a secret of the receiver
    ['Endpoint', origin + pathname],
    ['Failing since', data.failing_since],
    ['Failures in a row', data.failures_in_row > 0 ? data.failures_in_row : null],
    ['Will be disabled at', 'disables_at' in data ? data.disables_at : null],
    ['Events waiting', 'waiting' in data ? data.waiting : null],
  ] as const
  const lines = facts.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]))
  return {
    subject: `Your endpoint ${name === '' ? `at ${host}` : name} ${headlines[type]}`,
    text: [
      data.message,
      '',
      ...lines,
      '',
      `${publicUrl}/endpoints/${data.webhook_id}`,
      '',
      'You receive this email because your account sends notices to this address. You can change that in its settings.',
      '',
    ].join('\n'),
  }
}
