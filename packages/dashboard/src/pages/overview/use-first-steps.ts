import { useWebhooks } from '../../api/use-webhooks.ts'
import { useLive } from '../../api/use-live.ts'

/** Which of an account's first steps are done. */
export interface FirstStepsDone {
  readonly hasEndpoint: boolean
  /** Undefined before the first answer. */
  readonly hasEvent: boolean | undefined
  readonly hasDelivered: boolean | undefined
}

const everyMs = 2_000

/** While enabled, checks the open steps every two seconds. */
export function useFirstSteps(enabled: boolean): FirstStepsDone {
  const webhooks = useWebhooks()
  const events = useLive({
    key: ['first-steps', 'event'],
    load: async (call, signal) => (await call('listEvents', { query: { limit: 1 }, signal })).data.length > 0,
    everyMs: untilTrue,
    enabled,
  })
  const delivered = useLive({
    key: ['first-steps', 'delivered'],
    load: async (call, signal) => {
      const query = { state: ['delivered'], limit: 1 } as const
      return (await call('searchDeliveries', { query, signal })).data.length > 0
    },
    everyMs: untilTrue,
    enabled,
  })
  const endpoints = useLive({
    key: ['first-steps', 'endpoint'],
    load: async (call, signal) =>
      (await call('listWebhooks', { query: { limit: 1 }, signal })).data.length > 0,
    everyMs: untilTrue,
    enabled,
    known: webhooks.data === undefined ? undefined : webhooks.data.length > 0,
    knownAtMs: webhooks.dataUpdatedAt,
  })
  return {
    hasEndpoint: endpoints.data === true,
    hasEvent: events.data,
    hasDelivered: delivered.data,
  }
}

function untilTrue(isDone: boolean | undefined): number | null {
  return isDone === true ? null : everyMs
}
