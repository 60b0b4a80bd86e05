import type { Backlog } from '../maintenance/pace-backlog.ts'

/** Tells the operator, before the start, what the service will send. */
export function describeBacklog({ deliveries, endpoints, oldestAt, emails }: Backlog): string {
  const lines =
    deliveries === 0
      ? ['No delivery is due.']
      : [
          `${deliveries} deliveries to ${endpoints} endpoints are due, the oldest since ${oldestAt?.toISOString() ?? 'an unknown time'}.`,
          'Each endpoint receives them at the rate in POSTHORN_DRAIN_PER_SECOND. Events that were delivered after the',
          'backup arrive again with the same event id.',
        ]
  if (emails > 0) {
    lines.push(
      `${emails} emails are queued for the mail server. If they must not go out again, leave POSTHORN_SMTP_URL unset at`,
      'the first start.',
    )
  }
  return lines.join('\n')
}

/** The same for `--json`. */
export function backlogJson({ deliveries, endpoints, oldestAt, emails }: Backlog): Record<string, unknown> {
  return {
    deliveries_due: deliveries,
    endpoints,
    oldest_at: oldestAt?.toISOString() ?? null,
    emails_queued: emails,
  }
}
