/** What a replay can send. `missing`: events that have no delivery for the endpoint. */
export const replayStates = ['failed', 'exhausted', 'delivered', 'missing'] as const

export type ReplayState = (typeof replayStates)[number]
