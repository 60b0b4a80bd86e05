/** What a replay can send again; `missing` are events that the endpoint never had a delivery for. */
export const replayStates = ['failed', 'exhausted', 'delivered', 'missing'] as const

export type ReplayState = (typeof replayStates)[number]
