import type { EmailRecipient, Event } from '@posthorn/contract'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { stageOf } from '../../words/email-words.ts'

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
      const cause = causeOf(event)
      return cause === null ? [] : [[event.id, cause] as const]
    }),
  )
}

function causeOf({ data }: Event): string | null {
  const cause = data['failure'] ?? data['bounce']
  if (typeof cause !== 'object' || cause === null) return null
  if (!('message' in cause) || typeof cause.message !== 'string') return null
  const where = 'stage' in cause ? stageOf(cause.stage) : null
  return where === null ? cause.message : `${cause.message} It failed ${where}.`
}
