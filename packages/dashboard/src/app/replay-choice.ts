import { canonicalTimestamp, type ReplayState, replayStates } from '@posthorn/contract/plain'

/** What a replay is to send again, as it stands in the address. */
export interface ReplayChoice {
  /** RFC 3339, inclusive. */
  readonly since?: string
  /** RFC 3339, exclusive; now when left out. */
  readonly until?: string
  /** States, separated by commas; those that are not delivered when left out. */
  readonly states?: string
}

const usual: readonly ReplayState[] = ['failed', 'exhausted']

export function replayChoice(search: Record<string, unknown>): ReplayChoice {
  const { since, until, states } = search
  return {
    ...(isMoment(since) && { since: canonicalTimestamp(since) }),
    ...(isMoment(until) && { until: canonicalTimestamp(until) }),
    ...(typeof states === 'string' && states !== usual.join(',') && { states }),
  }
}

/** The states of a choice, in their order. */
export function chosenStates({ states }: ReplayChoice): ReplayState[] {
  const chosen: readonly string[] = states?.split(',') ?? usual
  return replayStates.filter(state => chosen.includes(state))
}

function isMoment(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(canonicalTimestamp(value)))
}
