import { canonicalTimestamp, type ReplayState, replayStates } from '@posthorn/contract/plain'

/** What a replay sends again, as it appears in the URL. */
export interface ReplayChoice {
  /** RFC 3339, inclusive. */
  readonly since?: string
  /** RFC 3339, exclusive; left out: now. */
  readonly until?: string
  /** States, separated by commas; left out: those that are not delivered. */
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

/** The chosen states in their usual order. */
export function chosenStates({ states }: ReplayChoice): ReplayState[] {
  const chosen: readonly string[] = states?.split(',') ?? usual
  return replayStates.filter(state => chosen.includes(state))
}

function isMoment(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(canonicalTimestamp(value)))
}
