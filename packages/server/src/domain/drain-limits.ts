/** Attempts under way may go on for so long while a process drains; then they are cut off. */
export const drainMsMax = 20_000

/** Requests whose callers are still sending may go on for so long; then their connections are closed. */
export const requestsDrainMsMax = 5_000

/** A drain that has not ended after this is given up: most likely the database takes no writes. */
export const drainGivenUpAfterMs = drainMsMax + 5_000
