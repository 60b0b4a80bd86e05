import type { NoticeData, NoticeType } from '@posthorn/contract'

const headlines: Readonly<Record<NoticeType, string>> = {
  'webhook.warning': 'fails',
  'webhook.disabled': 'was disabled',
  'webhook.recovered': 'works again',
}

/**
 * A notice in words for people.
 *
 * @param publicUrl of the dashboard, without a slash at its end
 */
export function noticeLetter<Type extends NoticeType>(
  type: Type,
  data: NoticeData<Type>,
  publicUrl: string,
): { subject: string; text: string } {
  const { host, origin, pathname } = new URL(data.url)
  const facts = [
    // a query may hold what only its owner may see
    ['Endpoint', origin + pathname],
    ['Failing since', data.failing_since],
    ['Failures in a row', data.failures_in_row > 0 ? data.failures_in_row : null],
    ['Disabled at', 'disables_at' in data ? data.disables_at : null],
    ['Events waiting', 'waiting' in data ? data.waiting : null],
  ] as const
  const lines = facts.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]))
  return {
    subject: `Your endpoint at ${host} ${headlines[type]}`,
    text: [
      data.message,
      '',
      ...lines,
      '',
      `${publicUrl}/endpoints/${data.webhook_id}`,
      '',
      'You get this because your account names this address for notices; its settings change that.',
      '',
    ].join('\n'),
  }
}
