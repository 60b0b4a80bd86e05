/** How long attempts in flight may continue while a process drains. Then they are aborted. */
export const drainMsMax = 20_000

/** How long clients may continue to send their requests while a process drains. Then their connections are closed. */
export const requestsDrainMsMax = 5_000

/** A process stops draining after this time, most likely because the database accepts no writes. */
export const drainGivenUpAfterMs = drainMsMax + 5_000
