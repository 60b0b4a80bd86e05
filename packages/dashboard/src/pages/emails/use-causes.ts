import type { EmailRecipient } from '@posthorn/contract'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { eventCause } from '../../words/event-outcome.ts'

/** The causes of bounces and failures from an email's events, by event id. */
export function useCauses(
  emailId: string,
  recipients: readonly EmailRecipient[],
): ReadonlyMap<string, string> {
  const { call } = useApi()
  // reload only when there is a new event
  const told = recipients.filter(({ state }) => state === 'bounced' || state === 'failed').length
  const { data } = useQuery({
    queryKey: ['emails', emailId, 'events', told],
    queryFn: async ({ signal }) =>
      await call('listEvents', { query: { email_id: emailId, limit: 250 }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: told > 0,
  })
  return new Map(
    data?.data.flatMap(event => {
      const cause = eventCause(event)
      return cause === null ? [] : [[event.id, cause] as const]
    }),
  )
}
