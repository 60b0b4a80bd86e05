import type { Backlog } from '../maintenance/pace-backlog.ts'

/** What waits, for the operator who is about to start the service. */
export function describeBacklog({ deliveries, endpoints, oldestAt, emails }: Backlog): string {
  const lines =
    deliveries === 0
      ? ['No delivery is due.']
      : [
          `${deliveries} deliveries to ${endpoints} endpoints are due, the oldest of ${oldestAt?.toISOString() ?? 'unknown age'}.`,
          'They go out at POSTHORN_DRAIN_PER_SECOND for each endpoint; what had been delivered before arrives again,',
          'under its old event id.',
        ]
  if (emails > 0) {
    lines.push(
      `${emails} emails are still to be handed to the mail server: leave POSTHORN_SMTP_URL unset at the first start if they`,
      'must not go out again.',
    )
  }
  return lines.join('\n')
}

/** The same with `--json`. */
export function backlogJson({ deliveries, endpoints, oldestAt, emails }: Backlog): Record<string, unknown> {
  return {
    deliveries_due: deliveries,
    endpoints,
    oldest_at: oldestAt?.toISOString() ?? null,
    emails_queued: emails,
  }
}
